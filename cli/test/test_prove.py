# SPDX-License-Identifier: Apache-2.0
"""`assay prove`, `gen` and `replay`: as a user runs them."""

import json
import os
import re
import shlex
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree as xml

import schema
from tool import ALLREDUCE, MATMUL, MODELS, ROOT, TOOL, ToolTest, environment, words


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
        value = self.json("prove", "prove", "--seconds", "1", "--jobs", "1")
        self.assertGreater(value["cases"], 0)
        self.assertLess(value["seconds"], 30)

    def test_mutants(self):
        value = self.json("prove-mutants", "prove", "--mutants", "--cases", "1", "--seed", "1", code=1)
        self.assertGreater(value["alive"], 0)
        self.assertEqual(value["alive"], sum(m["killed_by"] is None for m in value["mutants"]))
        last = self.run_tool("prove", "--mutants", "--cases", "1", "--seed", "1").out_lines[-1]
        self.assertEqual(last, "1 case may not suffice to tell every mutant; 5000 are known to")


class Gen(ToolTest):
    KINDS = ("model", "near-miss", "text", "image", "corruption", "neff", "dtype")

    def case(self, *parts):
        with open(self.path(*parts, "case.json"), encoding="utf-8") as stream:
            value = json.load(stream)
        schema.check(value, os.path.join(ROOT, "schemas", "case.schema.json"))
        for name in ("expected", "members", "input"):
            if os.path.exists(self.path(*parts, name + ".json")):
                with open(self.path(*parts, name + ".json"), encoding="utf-8") as stream:
                    schema.check(json.load(stream), os.path.join(ROOT, "schemas", name + ".schema.json"))
        with open(self.path(*parts, "expected.json"), encoding="utf-8") as stream:
            return value, json.load(stream)

    def asked(self, folder, command):
        """What the command of an expected.json answers, in the form of that file."""
        words_of = shlex.split(command)
        self.assertEqual(words_of[0], "assay")
        ran = self.run_tool(*words_of[1:], "--json", cwd=self.path(folder))
        value = json.loads(ran.out)
        if "refused" in value:
            return "refused", value["refused"]["requirement"]
        return "ok", [(g["name"], g["image_bytes"], g["crc32"]) for g in value["graphs"]]

    def test_the_command_gives_the_answer(self):
        for kind in ("model", "near-miss", "text"):
            report = self.json("gen", "gen", "--kind", kind, "--count", "6", "--seed", "3", "-o", kind)
            for name in report["cases"]:
                _, expected = self.case(kind, name)
                for answer in (expected, expected.get("twin")):
                    if answer is None:
                        continue
                    outcome, what = self.asked(f"{kind}/{name}", answer["lower"])
                    if outcome == "ok":
                        self.assertEqual(what, [(i["name"], i["bytes"], i["crc32"]) for i in answer["images"]])
                    else:
                        self.assertEqual(what, answer["requirement"])
                for image in expected.get("images", []):
                    self.assertEqual(os.path.getsize(self.path(kind, name, image["file"])), image["bytes"])

    def test_an_index(self):
        report = self.json("gen", "gen", "--near-miss", "VAR", "--count", "4", "--seed", "2", "-o", "a")
        with open(self.path("a", "index.json"), encoding="utf-8") as stream:
            index = json.load(stream)
        schema.check(index, os.path.join(ROOT, "schemas", "index.schema.json"))
        self.assertEqual([row["case"] for row in index], report["cases"])
        self.assertEqual(len({row["label"] for row in index}), 4)
        self.assertTrue(all(row["requirement"].startswith("VAR-") for row in index))

    def test_lists_defects(self):
        listed = self.json("gen-list", "gen", "--list")["defects"]
        lines = [words(line) for line in self.ok("gen", "--list").out_lines]
        self.assertEqual([(d["name"], d["kind"], d["requirement"]) for d in listed],
                         [(w["defect"], w["kind"], w["requirement"]) for w in lines])
        self.assertEqual({d["kind"] for d in listed}, {"near-miss", "text", "corruption", "neff"})
        self.assertLessEqual({f"JSN-{n:03}" for n in (1, 2, 3, 4, 8, 9, 10, 17, 18)},
                             {d["requirement"] for d in listed})
        self.failed("--list goes with --json alone", "gen", "--list", "--kind", "model")

    def test_texts_by_defect(self):
        for name in ("jsn-001", "JSN-018", "Lone-Surrogate"):
            report = self.json("gen", "gen", "--near-miss", name, "--count", "2", "--seed", "1", "-o", name)
            for case in report["cases"]:
                value, expected = self.case(name, case)
                self.assertEqual(value["requirement"], expected["requirement"])
                if name.startswith("j") or name.startswith("JSN"):
                    self.assertEqual(value["requirement"], name.upper())
            self.ok("replay", name)

    def test_the_whole_of_a_place_that_cannot_be_made(self):
        self.write("file", b"")
        self.failed("assay: file/out: ", "gen", "--count", "1", "-o", "file/out")

    def test_every_kind_is_stored_and_replayed(self):
        for kind in self.KINDS:
            report = self.json("gen", "gen", "--kind", kind, "--count", "3", "--seed", "5", "-o", kind)
            self.assertEqual(len(report["cases"]), 3)
            for name in report["cases"]:
                value, expected = self.case(kind, name)
                self.assertEqual(value["kind"], kind)
                if kind in ("model", "image", "dtype"):
                    self.assertEqual(expected["outcome"], "ok")
            value = self.json("replay", "replay", kind)
            self.assertEqual([(c["kind"], c["verdict"]) for c in value["cases"]], [(kind, "holds")] * 3)

    def test_the_oracle_agrees_with_what_is_written(self):
        report = self.json("gen", "gen", "--count", "5", "--seed", "9", "-o", "models")
        for name in report["cases"]:
            value, expected = self.case("models", name)
            options = [] if value["options"]["arch"] is None else \
                ["--arch", value["options"]["arch"]]
            options += ["--allow-legacy"] if value["options"]["allow_legacy"] else []
            lowered = self.json("lower", "lower", f"models/{name}/input.neff", *options)
            if not value["options"]["fp8"]:
                self.assertEqual([(i["name"], i["bytes"], i["crc32"]) for i in expected["images"]],
                                 [(g["name"], g["image_bytes"], g["crc32"]) for g in lowered["graphs"]])

    def test_near_misses_of_a_requirement(self):
        report = self.json("gen", "gen", "--near-miss", "VAR-015", "--count", "2", "--seed", "1", "-o", "a")
        for name in report["cases"]:
            value, expected = self.case("a", name)
            self.assertEqual((value["requirement"], expected["requirement"]), ("VAR-015", "VAR-015"))
            self.assertEqual(expected["outcome"], "refused")
            kind = value["near_miss"]
        self.ok("gen", "--near-miss", kind, "--count", "1", "--seed", "1", "-o", "b")
        self.assertEqual(self.case("b", "0001-near-miss-" + kind)[0]["near_miss"], kind)
        self.ok("gen", "--near-miss", "IMG-013", "--count", "1", "-o", "c")

    def test_the_seed_alone_decides(self):
        for to, seed in (("a", "3"), ("b", "3"), ("c", "4")):
            self.ok("gen", "--kind", "near-miss", "--count", "4", "--seed", seed, "-o", to)
        self.assertEqual(self.tree("a"), self.tree("b"))
        self.assertNotEqual(self.tree("a"), self.tree("c"))

    def test_usage(self):
        self.failed("no defect is called", "gen", "--near-miss", "VAR-999", "-o", "x")
        self.failed("did you mean \"var-id-gap\"", "gen", "--near-miss", "var-id-gab", "-o", "x")
        self.failed("DMB-007 is a rule about accepted models.*--kind model", "gen", "--near-miss", "dmb-007", "-o", "x")
        self.failed("--output is required", "gen", "--count", "1")
        self.failed("no kind", "gen", "--kind", "nosuch", "-o", "x")
        self.failed("excludes", "gen", "--kind", "model", "--near-miss", "VAR-015", "-o", "x")
        self.ok("gen", "--count", "1", "-o", "full")
        self.failed("not empty", "gen", "--count", "1", "-o", "full")
        self.assertFalse(os.path.exists(self.path("x")))


class Replay(ToolTest):
    def test_bare_files(self):
        value = self.json("replay", "replay", MATMUL)
        self.assertEqual([(c["kind"], c["verdict"]) for c in value["cases"]], [("model", "holds")])
        self.ok("lower", MATMUL, "-o", "out")
        value = self.json("replay", "replay", "out/sg00.kbin", "out")
        self.assertEqual([c["kind"] for c in value["cases"]], ["image"] * 3)
        # A model without an architecture is a case for each.
        value = self.json("replay", "replay", ALLREDUCE)
        self.assertEqual([c["verdict"] for c in value["cases"]], ["holds"] * 3)
        self.assertGreater(value["cases"][0]["properties"], 5)
        self.assertEqual(len(self.json("replay", "replay", MODELS)["cases"]), 4)

    def test_what_fits_nothing(self):
        self.write("broken.neff", b"no NEFF file")
        self.ok("lower", MATMUL, "-o", "out")
        with open(self.path("out", "sg00.kbin"), "rb") as stream:
            image = bytearray(stream.read())
        image[100] ^= 1
        self.write("broken.kbin", bytes(image))
        os.mkdir(self.path("empty"))
        for path, what in (("broken.neff", "CON-001"), ("broken.kbin", "IMG-007"), ("empty", "holds no case"),
                           ("nosuch", "No such file")):
            ran = self.run_tool("replay", path)
            self.assertEqual((ran.code, ran.out), (2, ""))
            self.assertRegex(ran.err, rf"^assay: {path}: .*{what}")
            value = self.json("replay", "replay", path, MATMUL, code=2)
            self.assertEqual((len(value["cases"]), len(value["errors"])), (1, 1))

    def test_a_case_that_is_violated(self):
        self.ok("gen", "--near-miss", "var-id-twice", "--count", "1", "--seed", "1", "-o", "cases")
        name, = (n for n in os.listdir(self.path("cases")) if n != "index.json")
        # Its defect mended: what must be refused now lowers.
        files = self.tree("cases", name)
        self.broken = files["input.neff"]
        self.write(f"cases/{name}/input.neff", files["twin.neff"])
        value = self.json("replay", "replay", "cases", code=1)
        self.assertEqual(value["violated"], 1)
        self.assertEqual([v["requirement"] for v in value["cases"][0]["violations"]], ["VAR-006"])
        ran = self.run_tool("replay", "cases")
        self.assertEqual((ran.code, ran.err), (1, ""))
        self.assertRegex(ran.out, rf"^cases/{name}: violated kind=near-miss properties=1\n  VAR-006 at ")

        self.assertIn("\n  hint: ", self.swapped(name).out)

    def swapped(self, name):
        """Replays a case with input and twin changed over."""
        files = self.tree("cases", name)
        self.write(f"cases/{name}/twin.neff", self.broken)
        self.assertNotEqual(files["twin.neff"], self.broken)
        return self.run_tool("replay", "cases")

    def stored(self, kind, *args):
        self.ok("gen", "--kind", kind, "--count", "1", "--seed", "4", "-o", kind, *args)
        name, = (n for n in os.listdir(self.path(kind)) if n != "index.json")
        return f"{kind}/{name}"

    def test_the_answers_that_are_stored(self):
        def change(path, file, edit):
            with open(self.path(path, file), encoding="utf-8") as stream:
                whole = stream.read()
            value = json.loads(whole)
            edit(value)
            self.write(f"{path}/{file}", value)
            return whole

        def image(value):
            value["images"][0]["crc32"] = "00000000"

        def code(value):
            value["match"][0] = 99

        rows = (("near-miss", "case.json", lambda v: v.update(requirement="IMG-001")),
                ("near-miss", "case.json", lambda v: v.update(reason="json-syntax")),
                ("near-miss", "expected.json", lambda v: v.update(requirement="IMG-001")),
                ("near-miss", "expected.json", lambda v: v["place"].update(member="elsewhere")),
                ("near-miss", "expected.json", lambda v: image(v["twin"])),
                ("near-miss", "expected.json", lambda v: v.update(outcome="ok")),
                ("model", "expected.json", image), ("image", "expected.json", image),
                ("dtype", "expected.json", code),
                ("neff", "expected.json", lambda v: v["members"].pop() if "members" in v else v.update(outcome="ok")),
                ("model", "expected.json", lambda v: v["inputs"].append({})))
        paths = {kind: self.stored(kind) for kind in ("near-miss", "model", "image", "dtype", "neff")}
        for kind, file, edit in rows:
            self.json("replay", "replay", paths[kind])
            before = change(paths[kind], file, edit)
            value = self.json("replay", "replay", paths[kind], code=1)
            self.assertEqual([v["property"] for v in value["cases"][0]["violations"]], ["stored-answer"], (kind, file))
            self.write(f"{paths[kind]}/{file}", before.encode())
        # An image that is stored.
        name = self.path(paths["model"], "expected", "sg00.kbin")
        with open(name, "rb") as stream:
            data = bytearray(stream.read())
        data[-1] ^= 1
        self.write(name, bytes(data))
        self.json("replay", "replay", paths["model"], code=1)
        os.remove(name)
        self.failed("sg00.kbin is missing", "replay", paths["model"])
        for kind, file, edit, what in (
                ("near-miss", "case.json", lambda v: v["options"].update(arch="neptune"),
                 "no architecture \"neptune\""),
                ("near-miss", "case.json", lambda v: v["options"].update(arch=9), "no architecture 9"),
                ("near-miss", "case.json", lambda v: v.update(reason="nosuch"), "no reason \"nosuch\""),
                ("near-miss", "expected.json", lambda v: v.update(reason="nosuch"), "no reason \"nosuch\""),
                ("near-miss", "expected.json", lambda v: v.update(outcome="nosuch"), "no outcome \"nosuch\""),
                ("dtype", "input.json", lambda v: v["match"][0].update(table="x"), "no table \"x\"")):
            before = change(paths[kind], file, edit)
            self.failed(what, "replay", paths[kind])
            self.write(f"{paths[kind]}/{file}", before.encode())

    def test_old_numbers_of_architectures(self):
        path = self.stored("model")
        with open(self.path(path, "case.json"), encoding="utf-8") as stream:
            value = json.load(stream)
        arch = value["options"]["arch"]
        value["options"]["arch"] = arch and ("sunda", "cayman", "mariana").index(arch) + 2
        self.write(f"{path}/case.json", value)
        self.ok("replay", path)

    def test_a_last_line(self):
        ran = self.ok("replay", ALLREDUCE)
        self.assertEqual(ran.out_lines[-1], "cases=3 violated=0")
        self.assertEqual([words(line.split(": holds ")[1])["arch"] for line in ran.out_lines[:-1]],
                         ["sunda", "cayman", "mariana"])
        self.failed("lone definition is no stored case", "replay", os.path.join(ALLREDUCE, "sg00", "def.json"))

    def test_a_stored_case_that_is_damaged(self):
        self.ok("gen", "--kind", "neff", "--count", "1", "--seed", "1", "-o", "cases")
        name, = (n for n in os.listdir(self.path("cases")) if n != "index.json")
        for text, what in ((b"{", "JSON object"), (b'{"kind":"x"}', 'no kind "x"'),
                           (b'{"kind":"neff","neff":"x"}', 'no kind "x"'),
                           (b'{"kind":"image"}', "input.kbin is missing")):
            self.write(f"cases/{name}/case.json", text)
            self.failed(re.escape(what), "replay", f"cases/{name}")


if __name__ == "__main__":
    unittest.main()
