# SPDX-License-Identifier: Apache-2.0
"""assay fuzz: what it keeps of a run, and that nothing is lost unseen: findings, their commands, full disks;
tools of the field are played by fake_fuzzer.sh."""
import json
import os
import resource
import shutil
import signal
import subprocess
import time
import unittest

from fuzzing import FuzzTest
from tool import TOOL, words


class FullDisk(FuzzTest):
    """What cannot be kept is told, and is exit code 2; but a finding is 1."""

    def limited(self, fake, most, code):
        """No file of the run may be longer."""
        ran = self.run_tool("fuzz", "dtype", "--runs", "2", "--json", env=self.env(fake),
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
        self.assertEqual(ran.code, code, ran.err)
        return json.loads(ran.out), ran.err

    def test_the_corpus_cannot_be_kept(self):
        value, err = self.limited("well", 4095, 2)
        told = "the corpus could not be kept: " + self.path("assay-fuzz/dtype/corpus") + ": File too large"
        self.assertEqual((value["error"], err), (told, f"assay: fuzz: {told}\n"))
        self.assertEqual(sorted(os.listdir(self.path("assay-fuzz/dtype/corpus"))), ["seed-0", "seed-1", "seed-2"])
        self.assertEqual(self.limited("well", 4096, 0)[1], "")

    def test_a_finding_is_1_all_the_same(self):
        value, err = self.limited("quiet", 4095, 1)
        self.assertEqual(value["findings"], 1)
        self.assertIn("the corpus could not be kept", err)

    def test_a_finding_cannot_be_kept(self):
        ran = self.run_tool("fuzz", "dtype", "--runs", "2", "--json", env=self.env("lost"))
        self.assertEqual((ran.code, json.loads(ran.out)["findings"]), (1, 1))
        err = ran.err
        self.assertRegex(err, "assay: fuzz: .*/findings/.*: Not a directory")
        # What it was found with is still there.
        left = self.tree("assay-fuzz/dtype/artifacts")
        self.assertEqual(list(left.values()), [b"bad"])
        self.assertIn(self.path("assay-fuzz/dtype/artifacts", *left), err)


class Commands(FuzzTest):
    """Commands that are printed can be pasted, whatever the paths hold."""

    NAMES = ("plain", "two words", "it's", "$(touch owned)", "a;b", 'say "so"', "back\\slash", "new\nline", "~", "*",
             "\u202eevil", "k\u00e4se")

    def pasted(self, command):
        """What a shell makes of its words, and what the tool says to them."""
        bash = shutil.which("bash")
        split = subprocess.run([bash, "-c", 'printf "%s\\0" ' + command], cwd=self.dir, capture_output=True,
                               check=True)
        arguments = [os.fsdecode(word) for word in split.stdout.split(b"\0")[:-1]]
        self.assertEqual(arguments[0], "assay")
        return self.run_tool(*arguments[1:], env=self.env("well")).code, arguments

    def test_of_findings(self):
        for name in self.NAMES:
            with self.subTest(name=name):
                out = "out/" + name
                value, _ = self.fuzz_at("quiet", "--runs", "2", "--out", out)
                found, = value["found"]
                ran = self.run_tool("fuzz", "dtype", "--runs", "2", "--out", out, env=self.env("quiet"))
                lines = [line.strip() for line in ran.out_lines[1:-1]]
                self.assertEqual(len(lines), 2, ran.out)
                for command, last in ((found["replay"], "/input"), (found["replay_case"], ""), (lines[0], "/input"),
                                      (lines[1], "")):
                    code, words_of = self.pasted(command)
                    self.assertEqual(words_of[-1], found["directory"] + last)
                    self.assertEqual(code, 1 if last else 0)  # the oracle itself is right
                self.assertEqual("'" in found["replay"], name != "plain")
        self.assertFalse(os.path.exists(self.path("owned")))

    def fuzz_at(self, fake, *args):
        ran = self.run_tool("fuzz", "dtype", *args, "--json", env=self.env(fake))
        self.assertEqual(ran.code, 1, ran.err)
        return json.loads(ran.out), ran.err

    def test_bytes_that_are_no_text(self):
        out = os.fsencode(self.path("out")) + b"/\xff x"
        self.fuzz_at("quiet", "--runs", "2", "--out", out)
        with open(os.path.join(out, b"findings", b"crash-exited-with-0", b"finding.json"), encoding="utf-8") as stream:
            found = json.load(stream)
        code, words_of = self.pasted(found["replay"])
        self.assertEqual((code, os.fsencode(words_of[-1])),
                         (1, os.path.join(out, b"findings", b"crash-exited-with-0", b"input")))

    def test_plain_sh_takes_a_newline_in_json(self):
        value, _ = self.fuzz_at("quiet", "--runs", "2", "--out", "new\nline $(touch owned)")
        found, = value["found"]
        split = subprocess.run(["/bin/sh", "-c", 'printf "%s\\0" ' + found["replay"]], cwd=self.dir,
                               capture_output=True, text=True, check=True)
        self.assertEqual(split.stdout.split("\0")[-2], found["directory"] + "/input")


class Findings(FuzzTest):
    def test_the_smallest_input_of_one_bug(self):
        value, _ = self.fuzz("crash", "--runs", "1000", code=1)
        found, = value["found"]
        self.assertEqual((found["key"], found["requirement"], found["kind"], found["times"], found["repeats"]),
                         ("VAR-031", "VAR-031", "crash", 5, {"found": 1, "of": 1}))
        self.assertEqual(found["verdict"], "found: VAR-031 at mem_ref_set.mem[5]: expected a, got b (some-property)")
        self.assertEqual(found["input_bytes"], 38)
        self.assertGreaterEqual(value["executions"], 1000)
        kept = self.tree("assay-fuzz/dtype/findings/var-031")
        self.assertEqual(kept["input"], b"bad" + b"x" * 35)
        self.assertIn(b"found: VAR-031", kept["log"])
        # The stored case is one that the tool takes; the oracle is right about it.
        self.assertEqual(found["case"], "dtype")
        self.assertEqual(found["replay_case"], "assay replay " + found["directory"])
        self.assertIn("kind=dtype", self.ok("replay", found["directory"]).out)
        ran = self.run_tool(*found["replay"].split()[1:], env=self.env("well"))
        self.assertEqual(ran.code, 1)
        self.assertRegex(ran.out, r"input: found found: VAR-031 at mem_ref_set")
        # The seeds are as they were.
        self.assertEqual(sorted(self.tree("assay-fuzz/dtype/corpus")), ["seed-0", "seed-1", "seed-2"])

    def test_text(self):
        ran = self.run_tool("fuzz", "dtype", "--runs", "1000", env=self.env("crash"))
        self.assertEqual((ran.code, ran.err, len(ran.out_lines)), (1, "", 4))
        self.assertRegex(ran.out_lines[0], r"^finding crash VAR-031: found: VAR-031 .* \(5 times, 38 bytes, "
                                           r"repeats 1 of 1\)$")
        place = self.path("assay-fuzz/dtype/findings/var-031")
        self.assertEqual(ran.out_lines[1:3],
                         [f"  assay fuzz dtype --engine libfuzzer --sanitizer address --replay {place}/input",
                          "  assay replay " + place])
        self.assertEqual(words(ran.out_lines[3])["findings"], "1")

    def test_an_earlier_run_kept_it(self):
        self.fuzz("crash", "--runs", "1000", code=1)
        before = self.tree("assay-fuzz/dtype/findings")
        os.remove(self.path("count"))
        # Inputs that are no smaller change nothing; smaller ones take the place.
        value, _ = self.fuzz_kept("gone", code=1)
        self.assertEqual([f["directory"] for f in value["found"]], [self.path("assay-fuzz/dtype/findings/var-031")])
        self.assertEqual(value["found"][0]["repeats"], {"found": 0, "of": 1})
        self.assertEqual(self.tree("assay-fuzz/dtype/findings")["var-031/input"], b"good")
        self.assertEqual(len(self.tree("assay-fuzz/dtype/findings")), len(before))

    def test_known_from_an_earlier_run(self):
        # The smaller input is the earlier run's; this one's says something else, and is let go.
        value, _ = self.fuzz("small", "--runs", "3", code=1)
        self.assertFalse(value["found"][0]["known"])
        before = self.tree("assay-fuzz/dtype/findings")
        value, _ = self.fuzz("gone", "--runs", "3", code=1)
        found, = value["found"]
        self.assertEqual((found["known"], found["verdict"], found["repeats"], found["input_bytes"]),
                         (True, "found: VAR-031 at early: expected a, got b (p)", {"found": 1, "of": 1}, 3))
        self.assertEqual(self.tree("assay-fuzz/dtype/findings"), before)
        ran = self.run_tool("fuzz", "dtype", "--runs", "3", env=self.env("gone"))
        self.assertRegex(ran.out_lines[0], r"^finding crash VAR-031: found: VAR-031 at early: .* \(\d times?, known "
                                           r"from an earlier run, 3 bytes, repeats 1 of 1\)$")
        # The command is that of the form that found it.
        self.put_target("ubsan", "dtype")
        ran = self.run_tool("fuzz", "dtype", "--runs", "3", "--sanitizer", "undefined", env=self.env("gone"))
        self.assertIn("--sanitizer address --replay", ran.out_lines[1])
        # One input that takes the place of an earlier run's is this run's, of a bug that is known.
        value, _ = self.fuzz("small", "--runs", "3", code=1)
        self.assertTrue(value["found"][0]["known"])

    def test_another_target_found_it(self):
        self.put_target("asan", "text_equiv")
        self.fuzz("gone", "--runs", "3", "--out", "assay-fuzz/dtype", code=1)
        value, _ = self.fuzz("gone", "--runs", "3", "--out", "assay-fuzz/dtype", code=1, target="text_equiv")
        found, = value["found"]
        self.assertEqual((found["directory"], found["known"]),
                         (self.path("assay-fuzz/dtype/findings/var-031-2"), False))

    def fuzz_kept(self, fake, code):
        return self.fuzz(fake, "--runs", "3", code=code)

    def test_an_artifact_counts_whatever_the_exit_code(self):
        value, _ = self.fuzz("quiet", "--runs", "3", code=1)
        self.assertEqual(value["found"][0]["key"], "crash exited with 0")

    def test_one_that_does_not_repeat(self):
        value, _ = self.fuzz("gone", "--runs", "3", code=1)
        self.assertEqual(value["found"][0]["repeats"], {"found": 0, "of": 1})

    def test_a_replay_that_does_not_run(self):
        value, err = self.fuzz("unrepeated", "--runs", "3", code=1)
        self.assertEqual(value["found"][0]["repeats"], {"found": 0, "of": 0})
        self.assertIn("cannot be replayed: the target exited with 5", err)

    def test_a_larger_input_is_let_go(self):
        value, _ = self.fuzz("grow", "--runs", "1000", code=1)
        found, = value["found"]
        self.assertEqual((found["times"], found["input_bytes"]), (3, 4))
        self.assertIn("at mem[1]:", found["verdict"])
        self.assertEqual(self.tree("assay-fuzz/dtype/findings")["var-031/input"], b"badx")

    def test_kinds(self):
        value, _ = self.fuzz("kinds", "--runs", "1000", code=1)
        self.assertEqual({(f["kind"], f["key"]) for f in value["found"]},
                         {("timeout", "libFuzzer: timeout"), ("oom", "libFuzzer: out-of-memory"),
                          ("leak", "AddressSanitizer: byte(s) leaked in allocation(s)."),
                          ("crash", "AddressSanitizer: heap-buffer-overflow b.cpp in assay::decode(int)")})
        self.assertEqual(value["slow_units"], 1)
        names = sorted(os.listdir(self.path("assay-fuzz/dtype/findings")))
        self.assertEqual(names[-2:], ["libfuzzer-out-of-memory", "libfuzzer-timeout"])
        self.assertRegex(names[1], "^addresssanitizer-heap-buffer-overflow-b-cpp-in-assay-decode-[0-9a-f]{8}$")

    def test_a_bad_file_of_the_corpus(self):
        self.write("mine/a", b"fine")
        self.write("mine/b", b"bad one")
        self.write("mine/c", b"bad two")
        value, err = self.fuzz("seed", "--runs", "100", "--corpus", "mine", code=1)
        self.assertEqual((value["error"], value["found"][0]["times"]), (None, 2))
        self.assertEqual(self.tree("mine"), {"a": b"fine"})
        self.assertEqual(self.tree("assay-fuzz/dtype/removed"), {"b": b"bad one", "c": b"bad two"})
        self.assertEqual(err.count("ends the target: moved to"), 2)

    def test_more_bugs_than_are_kept(self):
        value, _ = self.fuzz("many", "--runs", "100000", code=1)
        self.assertEqual((value["findings"], value["not_kept"]), (100, 3))
        self.assertEqual(len(os.listdir(self.path("assay-fuzz/dtype/findings"))), 100)

    def test_hostile_text(self):
        value, _ = self.fuzz("hostile", "--runs", "2", code=1)
        self.assertEqual([f["key"] for f in value["found"]], ["VAR-004"])
        ran = self.run_tool("fuzz", "dtype", "--runs", "2", env=self.env("hostile"))
        self.assertNotIn("\x1b", ran.out)
        self.assertEqual(len(ran.out_lines), 4)

    def test_no_case(self):
        for name, files in (("json_dialect", ["input.json"]), ("image_bytes", ["input.kbin"]), ("other", [])):
            with self.subTest(target=name):
                self.put_target("asan", name)
                value, _ = self.fuzz("quiet", "--runs", "2", code=1, target=name)
                found, = value["found"]
                self.assertEqual((found["case"], found["replay_case"]), (None, None))
                self.assertTrue(found["no_case"])
                self.assertEqual(sorted(os.listdir(found["directory"])),
                                 sorted(["finding.json", "input", "log"] + files))

    def test_interrupted(self):
        for fake, code in (("well", 130), ("hang", 130)):
            with self.subTest(fake=fake):
                child = subprocess.Popen([TOOL, "fuzz", "dtype", "--seconds", "100", "--json"], cwd=self.dir,
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.env(fake))
                time.sleep(1.5)
                child.send_signal(signal.SIGINT)
                out, err = child.communicate(timeout=60)
                self.assertEqual(child.returncode, code, err)
                value = json.loads(out)
                self.assertTrue(value["interrupted"])
                self.assertEqual(value["executions"], 64)
                self.assertIn(b"interrupted after", err)


if __name__ == "__main__":
    unittest.main()
