# SPDX-License-Identifier: Apache-2.0
"""fuzzers/measure: seeded bugs, their table and the bounds, on results that only pretend."""
import os
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "measuring"))

import report  # noqa: E402
import runs  # noqa: E402
import seeded  # noqa: E402
import speed  # noqa: E402
from seeded import patch  # noqa: E402

ORACLE = os.path.join(runs.TOP, "oracle")


def ran(text, code=0, cpu=2.0):
    return runs.Run(runs.parse(text), code, cpu, text, [])


def bug(**changes):
    return {"number": 1, "name": "a-bug", "target": "subgraph", "what": "", "file": "a.cpp", "old": "x == 1",
            "new": "x == 1 + $BUG", **changes}


class TheTable(unittest.TestCase):
    def test_it_applies_to_the_oracle_as_it_is(self):
        bugs = patch.read_table()
        files = patch.apply(ORACLE, bugs)
        for b in bugs:
            self.assertIn(f"bool(::assay_bug_active == {b['number']})", files[b["file"]], b["name"])
        self.assertFalse(any("$BUG" in text for text in files.values()))
        with open(os.path.join(ORACLE, "tree", "tree.h"), encoding="utf-8") as stream:
            self.assertEqual(files["tree/tree.h"], stream.read())

    def test_there_are_enough_of_every_kind(self):
        bugs = patch.read_table()
        self.assertGreaterEqual(len(bugs), 20)
        for target, least in (("subgraph", 9), ("image_records", 4), ("neff_members", 2), ("json_dialect", 1),
                              ("dtype", 1), ("descriptor", 1), ("text_equiv", 1)):
            self.assertGreaterEqual(sum(b["target"] == target for b in bugs), least, target)
        for b in bugs:
            self.assertTrue(os.path.exists(os.path.join(HERE, "..", b["target"] + ".cpp")), b["target"])
            self.assertTrue(os.path.exists(os.path.join(HERE, "..", "bugs", f"bug_{b['target']}.cpp")), b["target"])

    def refused(self, *bugs, text="if (x == 1) f();"):
        with self.assertRaises(patch.BadTable) as caught:
            patch.patched("a.cpp", text, list(bugs))
        return str(caught.exception)

    def test_what_does_not_occur_once_is_refused(self):
        self.assertIn("occurs 0 times", self.refused(bug(), text="if (y == 1) f();"))
        self.assertIn("occurs 2 times", self.refused(bug(), text="x == 1 || x == 1"))
        self.assertIn("same place", self.refused(bug(), bug(number=2, old="(x ==", new="$BUG")))

    def test_a_bug_is_off_but_for_its_number(self):
        self.assertEqual(patch.patched("a.cpp", "if (x == 1) f();", [bug(number=7)]),
                         patch.SWITCH + "if (x == 1 + bool(::assay_bug_active == 7)) f();")
        self.assertEqual(patch.patched("a.cpp", "text", []), "text")

    def test_a_table_that_is_wrong_is_refused(self):
        entry = '[[bug]]\nnumber = 1\nname = "a"\ntarget = "t"\nwhat = ""\nfile = "f"\nold = "o"\nnew = "$BUG"\n'
        for text in (entry + entry, entry.replace('"$BUG"', '"n"'), entry.replace("number = 1", "number = 0"),
                     entry.replace('"a"', '"A b"'), entry + "more = 1\n", entry.replace("number = 1", 'number = "1"')):
            with tempfile.NamedTemporaryFile("w", suffix=".toml") as table:
                table.write(text)
                table.flush()
                with self.assertRaises(patch.BadTable, msg=text):
                    patch.read_table(table.name)

    def test_a_file_that_is_not_there_is_refused(self):
        with self.assertRaises(patch.BadTable):
            patch.apply(ORACLE, [bug(file="no/such.cpp")])

    def test_only_what_differs_is_written(self):
        with tempfile.TemporaryDirectory() as out:
            patch.write({"a/b.cpp": "1", "c.cpp": "2"}, out)
            before = os.stat(os.path.join(out, "c.cpp")).st_mtime_ns
            patch.write({"c.cpp": "2", "d.h": "3"}, out)
            self.assertEqual(patch.sources(out), ["c.cpp", "d.h"])
            self.assertEqual(os.stat(os.path.join(out, "c.cpp")).st_mtime_ns, before)


class Triggers(unittest.TestCase):
    def test_the_first_trigger(self):
        text = "#2 INITED cov: 1\ntriggered: bug 3 after 1234 executions\n==1== ERROR: libFuzzer: deadly signal\n"
        self.assertEqual(seeded.first_trigger(ran(text, 77), 3, ""), 1234)
        self.assertIsNone(seeded.first_trigger(ran("#9 DONE cov: 1\n"), 3, ""))

    def test_another_end_is_no_measurement(self):
        with self.assertRaises(runs.Unmeasured):
            seeded.first_trigger(ran("==1== ERROR: libFuzzer: timeout after 10 seconds\n", 70), 3, "")
        with self.assertRaises(runs.Unmeasured):
            seeded.first_trigger(ran("triggered: bug 4 after 5 executions\n", 77), 3, "")

    def test_ratios(self):
        rows = [{"executions": [10, 30, 20], "plain": [500, None, 100]}, {"executions": [100, 100, 100],
                "plain": [None, None, 9]}, {"executions": [5, None, 5]}]
        self.assertEqual([seeded.ratio_of(r, 1000) for r in rows[:2]], [25, 10])
        self.assertEqual(seeded.ratio_beyond_parsing(rows, 1000), 17.5)
        self.assertIsNone(seeded.ratio_beyond_parsing(rows[2:], 1000))
        self.assertEqual([seeded.found(r) for r in rows], [True, True, False])


class Rates(unittest.TestCase):
    def test_runs_of_one_target_add_up(self):
        text = "#9 DONE cov: 1 ft: 1 corp: 4/2Kb\nstat::number_of_executed_units: {0}\n" \
               "stats: {0} executions, {1} reached lowering, 5 accepted\n"
        m = speed.merged([ran(text.format(100, 90)), ran(text.format(300, 210)), ran(text.format(200, 180))])
        self.assertEqual((m["exec_per_s"], m["lowered_share"], m["accepted_per_s"]), (100, 0.8, 2.5))
        self.assertEqual((m["accepted_share"], m["mean_input_bytes"]), (15 / 600, 512))

    def test_runs_that_tell_nothing_are_no_measurement(self):
        with self.assertRaises(runs.Unmeasured):
            speed.merged([ran("#9 DONE cov: 1\n")])
        for text, code in (("", 0), ("#9 DONE cov: 1\n", 77)):
            with self.assertRaises(runs.Unmeasured):
                speed.sound(ran(text, code), "")

    def test_seeds_of_about_4_kb(self):
        with tempfile.TemporaryDirectory() as seeds:
            for name, size in (("a", 10), ("b", 2500)):
                with open(os.path.join(seeds, name), "wb") as stream:
                    stream.write(bytes(size))
            self.assertEqual(speed.about_4_kb(seeds), ["b"])
            for name, size in (("c", 4000), ("d", 5000)):
                with open(os.path.join(seeds, name), "wb") as stream:
                    stream.write(bytes(size))
            self.assertEqual(speed.about_4_kb(seeds), ["c", "d"])


class ModelsLowered(unittest.TestCase):
    def ratio(self, of_subgraph, of_bytes):
        logs = {"subgraph": of_subgraph, "defjson_bytes": of_bytes}
        line = "#9 DONE cov: 1\nstats: 100 executions, 90 reached lowering, 80 accepted{0}\n"
        with mock.patch.multiple(speed, a_while=lambda *a: ran(line.format(logs[a[-1]])), flags_of=lambda t: []), \
                mock.patch.multiple(runs, program_of=lambda f, t: t, seeds_of=lambda t: t):
            return speed.lowered_over_bytes(1, 3)

    def test_models_are_compared_and_not_executions(self):
        self.assertEqual(self.ratio(", 60 models", ", 2 models"), {
            "subgraph": {"models": 30, "accepted": 40}, "defjson_bytes": {"models": 1, "accepted": 40}, "ratio": 30})

    def test_none_counts_as_one(self):
        self.assertEqual(self.ratio(", 60 models", ", 0 models")["ratio"], 60)

    def test_what_is_not_told_is_no_measurement(self):
        with self.assertRaises(runs.Unmeasured):
            self.ratio(", 60 models", "")


class Bounds(unittest.TestCase):
    def result(self):
        rows = [{"number": 1, "name": "a", "target": "subgraph", "executions": [10], "plain": [100]}]
        row = {"exec_per_s": 1.0, "of_empty": 0.4, "lowered_share": 0.9, "mean_input_bytes": 4.0,
               "accepted_share": 0.5, "edges": 7}
        targets = {t: dict(row) for t in ("image_bytes", "dtype", "subgraph")}
        targets["image_bytes"]["lowered_share"] = 0.05
        return {"targets": targets, "edges_after": 5,
                "subgraph_4_kb": {**row, "exec_per_s": 2000}, "subgraph_over_bytes": 60,
                "per_cpu_second": {"subgraph": {"models": 60, "accepted": 70}, "defjson_bytes": {"models": 1, "accepted": 3}}, "seeded": report.seeded_of(rows, 500, [1])}

    def test_each_holds_at_its_edge(self):
        bounds = report.bounds(self.result())
        self.assertEqual(len(bounds), len(report.BOUNDS))
        self.assertEqual([b["what"] for b in bounds if not b["holds"]], [])
        self.assertIn("holds", report.text(self.result()))

    def test_each_is_told_when_it_does_not(self):
        places = [("targets", "image_bytes", "of_empty"), ("targets", "dtype", "of_empty"),
                  ("targets", "image_bytes", "lowered_share"), ("subgraph_4_kb", "exec_per_s"),
                  ("targets", "subgraph", "lowered_share"), ("subgraph_over_bytes",), ("seeded", "found"),
                  ("seeded", "ratio_beyond_parsing")]
        self.assertEqual(len(places), len(report.BOUNDS))
        for i, (*way, last) in enumerate(places):
            result = self.result()
            at = result
            for key in way:
                at = at[key]
            at[last] *= 0.4
            self.assertEqual([b["holds"] for b in report.bounds(result)].index(False), i)
            self.assertIn("DOES NOT HOLD", report.text(result))

    def test_what_was_not_measured_is_no_bound(self):
        self.assertEqual(report.bounds({"targets": {}}), [])


if __name__ == "__main__":
    unittest.main()
