# SPDX-License-Identifier: Apache-2.0
"""`assay prove`: as a user runs it."""

import json
import os
import re
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree as xml

import schema
from tool import ROOT, TOOL, ToolTest, environment, words


class Prove(ToolTest):
    def test_lists_properties(self):
        listed = self.json("prove-list", "prove", "--list")["properties"]
        self.assertGreater(len(listed), 20)
        for row in listed:
            self.assertTrue(row["requirements"], row["name"])
        self.assertEqual([words(line)["property"] for line in self.ok("prove", "--list").out_lines],
                         [row["name"] for row in listed])

    def test_a_short_run(self):
        value = self.json("prove", "prove", "--cases", "150", "--seed", "7", "--jobs", "2")
        self.assertEqual((value["cases"], value["failures"], value["found"], value["seed"]),
                         (150, 0, [], 7))
        self.assertEqual(sum(p["cases"] for p in value["properties"]), 150)
        self.assertTrue(all(p["cases"] >= 1 for p in value["properties"]))
        self.assertEqual(sum(labels[kind] for kind, labels in value["distribution"].items()), 150)
        self.assertFalse(os.path.exists(self.path("assay-failures")))

    def test_text(self):
        ran = self.ok("prove", "--cases", "100", "--seed", "3", "--junit", "report.xml")
        last = words(ran.out_lines[-1])
        self.assertEqual((last["cases"], last["failures"], last["seed"]), ("100", "0", "3"))
        properties = self.json("prove-list", "prove", "--list")["properties"]
        shown = [words(line)["property"] for line in ran.out_lines if line.startswith("property=")]
        self.assertEqual(shown, [p["name"] for p in properties])
        self.assertRegex(ran.out, r"(?m)^generated \d+ near-miss: ")
        suite = xml.parse(self.path("report.xml")).getroot()
        self.assertEqual((suite.get("tests"), suite.get("failures")), (str(len(properties)), "0"))
        self.assertEqual([c.get("name") for c in suite.iter("testcase")], shown)

    def test_the_seed_alone_decides(self):
        def counted(*args):
            value = self.json("prove", "prove", "--cases", "200", *args)
            return [(p["name"], p["cases"]) for p in value["properties"]], value["distribution"]
        self.assertEqual(counted("--seed", "11", "--jobs", "1"), counted("--seed", "11", "--jobs", "3"))
        self.assertNotEqual(counted("--seed", "11"), counted("--seed", "12"))

    def test_chosen_properties(self):
        listed = self.json("prove-list", "prove", "--list")["properties"]
        name = listed[1]["name"]
        value = self.json("prove", "prove", "--property", name, "--cases", "5")
        self.assertEqual([(p["name"], p["cases"]) for p in value["properties"]], [(name, 5)])
        value = self.json("prove-list", "prove", "--list", "--area", "DT-01", "--property", name)
        wanted = [p["name"] for p in listed if p["name"] == name or
                  any(r.startswith("DT-01") for r in p["requirements"])]
        self.assertEqual([p["name"] for p in value["properties"]], wanted)

    def test_areas(self):
        def listed(*args):
            return self.json("prove-list", "prove", "--list", *args)["properties"]
        both = listed("--area", "VAR,dmb")
        self.assertEqual(both, listed("--area", "var", "--area", "DMB"))
        self.assertEqual({r[:3] for p in both for r in p["requirements"]}, {"VAR", "DMB"})
        # A property that was named is listed whole.
        name, whole = next((p["name"], p["requirements"]) for p in listed() if p["name"] == both[0]["name"])
        self.assertGreater(len(whole), len(both[0]["requirements"]))
        self.assertIn(whole, [p["requirements"] for p in listed("--area", "VAR", "--property", name)])

    def test_lines_of_the_list(self):
        lines = self.ok("prove", "--list").out_lines
        self.assertLessEqual(max(map(len, lines)), 160)
        self.assertTrue(any(re.search(r",\+\d+$", line) for line in lines))
        whole = self.ok("prove", "--list", "--verbose").out_lines
        listed = self.json("prove-list", "prove", "--list")["properties"]
        self.assertEqual([words(line)["requirements"] for line in whole], [",".join(p["requirements"]) for p in listed])
        for option in ("--cases=5", "--seconds=5", "--seed=5", "--jobs=5", "--junit=x", "--save=x"):
            self.failed("--list goes with", "prove", "--list", option)

    def test_exactly_as_many_cases_as_asked(self):
        properties = len(self.json("prove-list", "prove", "--list")["properties"])
        for asked, wanted in ((properties, properties), (properties + 7, properties + 7), (3, properties)):
            value = self.json("prove", "prove", "--cases", str(asked), "--seed", "1")
            self.assertEqual(value["cases"], wanted)
            self.assertGreaterEqual(min(p["cases"] for p in value["properties"]), 1)
            self.assertTrue(any(p["per_second"] > 0 for p in value["properties"]))

    def test_too_many_jobs(self):
        def most_processes(*args):
            with subprocess.Popen([TOOL, "prove", "--seed", "1", "--jobs", "100000", *args], cwd=self.dir,
                                  stdout=subprocess.DEVNULL) as process:
                most = 0
                while process.poll() is None:
                    children = f"/proc/{process.pid}/task/{process.pid}/children"
                    try:
                        with open(children, encoding="ascii") as stream:
                            most = max(most, len(stream.read().split()))
                    except (FileNotFoundError, ProcessLookupError):
                        pass
                    time.sleep(0.01)
            self.assertEqual(process.returncode, 0)
            return most
        self.assertLessEqual(most_processes("--seconds", "2"), 4 * os.cpu_count())
        self.assertLessEqual(most_processes("--property", "lowering-agrees", "--cases", "5"), 1)

    def test_numbers_and_words(self):
        self.failed("out of range: at most 18446744073709551615", "prove", "--cases", "99999999999999999999")
        self.failed("whole number of seconds", "prove", "--seconds", "0.5")
        self.failed("whole number of 1 or more", "prove", "--cases", "1.5")
        self.failed("not expected: b a c ", "prove", "b", "a", "c")
        self.failed('no command "prov" .did you mean "prove"', "prov")
        self.failed('no command "unpak" .did you mean "unpack".. .see assay neff --help', "neff", "unpak")
        self.failed(r'no command "qqqqqq" \(see', "qqqqqq")

    def test_reports_are_tried_before_the_run(self):
        os.mkdir(self.path("there"))
        self.write("file", b"")
        for args, what in ((("--junit", "there"), "there: Is a directory"), (("--junit", ""), "a file's name"),
                           (("--junit", "there/"), "a file's name"), (("--junit", "file/x.xml"), "Not a directory"),
                           (("--save", ""), "a directory is expected"), (("--save", "file"), "Not a directory"),
                           (("--save", "/proc/x"), "/proc"), (("--junit", "/dev/null"), "no regular file")):
            ran = self.failed(what, "prove", "--cases", "1000000", *args)
            self.assertEqual(len(ran.err_lines), 1)  # no seed: nothing was begun
        self.assertEqual(self.tree(), {"there": None, "file": b""})
        self.ok("prove", "--cases", "1", "--seed", "1", "--junit", "new/x.xml", "--save", "there/kept")
        self.assertEqual(set(self.tree()), {"there", "file", "new", "new/x.xml"})

    def interrupted(self, signal_number, *args):
        """A run that gets this signal once it told its seed."""
        with subprocess.Popen([TOOL, *args], cwd=self.dir, env=environment(), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              preexec_fn=lambda: signal.signal(signal_number, signal.SIG_DFL)) as process:
            told = process.stderr.readline().decode()
            time.sleep(1)
            process.send_signal(signal_number)
            begin = time.monotonic()
            out, err = process.communicate(timeout=60)
            self.assertLess(time.monotonic() - begin, 10)
        self.assertRegex(told, r"^prove: seed \d+\n$")
        return process.returncode, told.split()[-1], out.decode(), err.decode()

    def test_interrupted(self):
        for number, wanted in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            code, seed, out, err = self.interrupted(
                number, "prove", "--cases", "1000000000", "--json", "--junit", "x.xml")
            self.assertEqual(code, wanted)
            self.assertRegex(err, rf"^prove: interrupted after \d+ cases, seed {seed}\n$")
            value = json.loads(out)
            schema.check(value, os.path.join(ROOT, "schemas", "prove.schema.json"))
            self.assertEqual((value["interrupted"], str(value["seed"]), value["found"]), (True, seed, []))
            self.assertGreater(value["cases"], 0)
            said = {p.get("name"): p.get("value") for p in xml.parse(self.path("x.xml")).iter("property")}
            self.assertEqual(said, {"seed": seed, "interrupted": "true"})
        self.assertFalse(self.json("prove", "prove", "--cases", "1", "--seed", "1")["interrupted"])

    def test_mutants_interrupted(self):
        code, seed, out, err = self.interrupted(signal.SIGINT, "prove", "--mutants")
        self.assertEqual((code, out), (130, ""))
        self.assertRegex(err, rf"^prove: interrupted .*, seed {seed}\n$")

    def test_what_names_nothing(self):
        self.failed("no property \"nosuch\"", "prove", "--property", "nosuch")
        self.failed("did you mean \"lowering-agrees\"", "prove", "--property", "lowerin-agrees")
        self.failed("begins with \"XYZ\"", "prove", "--area", "XYZ")
        self.failed("begins with \"VRA\".*did you mean \"VAR\"", "prove", "--area", "VRA")
        self.failed("begins with \"\"", "prove", "--area", "")
        self.failed("begins with \"\"", "prove", "--area", "VAR,")
        self.failed("1 or more", "prove", "--cases", "0")
        self.failed("number", "prove", "--cases", "-1")
        for option in (("--area", "VAR"), ("--save", "x"), ("--verbose",), ("--list",)):
            self.failed("--mutants goes with", "prove", "--mutants", *option)

    def test_time_bounds_a_run(self):
        # Two quick ones, so that both have their turn however slow the build is.
        value = self.json("prove", "prove", "--seconds", "1", "--jobs", "1", "--property", "dtype-maps", "--property",
                          "x4-names-are-containers")
        self.assertGreater(value["cases"], 1)

    def test_mutants(self):
        value = self.json("prove-mutants", "prove", "--mutants", "--cases", "1", "--seed", "1", code=1)
        self.assertGreater(value["alive"], 0)
        self.assertEqual(value["alive"], sum(m["killed_by"] is None for m in value["mutants"]))
        last = self.run_tool("prove", "--mutants", "--cases", "1", "--seed", "1").out_lines[-1]
        self.assertEqual(last, "1 case may not suffice to tell every mutant; 5000 are known to")


if __name__ == "__main__":
    unittest.main()
