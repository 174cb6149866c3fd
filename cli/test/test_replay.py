# SPDX-License-Identifier: Apache-2.0
"""`assay gen` and `replay`: as a user runs them."""

import json
import os
import re
import shlex
import shutil
import unittest

import schema
from tool import ALLREDUCE, MATMUL, MODELS, ROOT, ToolTest, environment, words


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

    def test_what_cannot_be_read_is_not_passed_over(self):
        os.makedirs(self.path("kept", "case"))
        os.symlink("nowhere", self.path("kept", "case", "case.json"))
        self.failed("case.json: is no regular file", "replay", "kept")
        os.unlink(self.path("kept", "case", "case.json"))
        os.symlink("nowhere", self.path("kept", "case", "model.neff"))
        self.failed("model.neff: is no regular file", "replay", "kept")
        os.unlink(self.path("kept", "case", "model.neff"))
        os.symlink(MATMUL, self.path("kept", "case", "model.neff"))
        self.ok("replay", "kept")
        os.symlink(".", self.path("kept", "again"))
        self.failed("in a circle", "replay", "kept")

    def test_options_are_taken_as_they_are_written_or_not_at_all(self):
        kept = os.path.join(ROOT, "corpus", "regressions", "VAR", "sizes-at-2-to-32")
        shutil.copytree(kept, self.path("kept"))
        with open(self.path("kept", "case.json"), encoding="utf-8") as stream:
            case = json.load(stream)
        for options, code in (({"allow_legacy": "yes"}, 2), ({"arch": "cayma"}, 2), ({"fp8": 1}, 2),
                              ({"fp8": {"emax_fp8_e4m3": 1 << 32}}, 2), ({"fp8": {"emax_fp8_e4m3": 7}}, 0)):
            self.write("kept/case.json", json.dumps({**case, "options": {**case["options"], **options}}).encode())
            self.assertEqual(self.run_tool("replay", "kept").code, code, options)
        self.write("kept/case.json", json.dumps({**case, "options": 5}).encode())
        self.failed("options has the wrong type", "replay", "kept")

    def test_a_property_that_cannot_say_is_no_pass(self):
        ran = self.run_tool("replay", MATMUL, env={**environment(), "TMPDIR": self.path("nowhere")})
        self.assertEqual(ran.code, 2)
        self.assertIn("directory-agrees cannot say: no temporary directory", ran.err)


if __name__ == "__main__":
    unittest.main()
