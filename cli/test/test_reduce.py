# SPDX-License-Identifier: Apache-2.0
"""assay reduce: every form of input comes out smaller and still interesting, and nothing is lost."""

import json
import os
import shlex
import signal
import subprocess
import time
import unittest

from tool import ALLREDUCE, MATMUL, TOOL, ToolTest, environment, repaired, words

LOWER = shlex.quote(TOOL) + " lower {} 2>&1"


class Reduce(ToolTest):
    def smaller(self, *args):
        """Reduces; the words of the one line it prints."""
        ran = self.ok("reduce", *args)
        self.assertEqual(len(ran.out_lines), 1)
        found = words(ran.out)
        self.assertLessEqual(set(found), {"output", "bytes_before", "bytes_after", "checks", "accepted", "seconds"})
        return found

    def test_directory(self):
        def gap(_, files):
            files["def"]["var"]["output"]["var_id"] = 9

        self.model("bad", change=gap)
        os.mkdir(self.path("out"))
        found = self.smaller("bad", "--predicate", LOWER + " | grep -q VAR-004", "-o", "out/small")
        files = {p: b for p, b in self.tree("out/small").items() if b is not None}
        self.assertEqual(found["bytes_after"], str(sum(map(len, files.values()))))
        self.assertEqual(sorted(files), ["0/def.json", "kelf-a.json"])
        var = json.loads(files["0/def.json"])["var"]
        self.assertEqual(len(var), 1)
        self.assertLess(len(files["0/def.json"]), 120)
        self.assertLess(int(found["checks"]), 400)
        self.assertEqual(os.listdir(self.path("out")), ["small"])
        ran = self.run_tool("lower", "out/small")
        self.assertIn("VAR-004", ran.err)

    def test_neff_stays_a_neff_of_its_version(self):
        for version in ("1", "2"):
            self.ok("neff", "pack", ALLREDUCE, "-o", "a.neff", "--pkg-version", version, "--name", "kept")
            value = self.json("reduce", "reduce", "a.neff", "--predicate", LOWER + " --arch sunda | grep -q dve",
                              "-o", f"{version}.neff")
            self.assertEqual((value["input"], value["output"]), ("a.neff", f"{version}.neff"))
            self.assertEqual(value["bytes_after"], os.path.getsize(self.path(f"{version}.neff")))
            self.assertLess(value["bytes_after"], value["bytes_before"])
            self.assertGreater(value["accepted"], 5)
            self.assertFalse(value["interrupted"])
            header = self.json("neff-header", "neff", "header", f"{version}.neff")
            self.assertEqual((header["header"]["pkg_version"], header["header"]["name"]), (int(version), "kept"))
            self.assertEqual(header["digest"], "matches")
            members = [line.split()[1] for line in self.ok("neff", "ls", f"{version}.neff").out_lines]
            self.assertLessEqual(len(members), 3)

    def test_a_compilers_file(self):
        found = self.smaller(MATMUL, "--predicate", LOWER + " | grep -q pe:12", "-o", "m.neff")
        self.assertLess(int(found["bytes_after"]), 3000)
        self.assertIn("pe:12", self.ok("lower", "m.neff").out)

    def test_image(self):
        self.ok("lower", ALLREDUCE, "--arch", "cayman", "-o", "images")
        image, = os.listdir(self.path("images"))
        found = self.smaller(os.path.join("images", image), "--predicate",
                             shlex.quote(TOOL) + " check {} | grep -q '^[^ ]*: ok'", "-o", "small.kbin")
        self.assertLess(int(found["bytes_after"]), int(found["bytes_before"]) // 2)
        self.assertIn(" ok ", self.ok("check", "small.kbin").out)
        with open(self.path("images", image), "rb") as stream:
            bad = bytearray(stream.read())
        bad[500] ^= 1  # and the checksum is not made right
        self.write("bad.kbin", bytes(bad))
        self.smaller("bad.kbin", "--predicate", shlex.quote(TOOL) + " check {} | grep -q IMG-007", "-o", "bad2.kbin")
        with open(self.path("bad2.kbin"), "rb") as stream:
            self.assertNotEqual(repaired(bytearray(stream.read())), b"")
        self.assertIn("IMG-007", self.run_tool("check", "bad2.kbin").out)

    def test_bytes(self):
        self.write("text", b"nothing\nof\0interest " * 20 + b"needle" + b"\xff more of it" * 30)
        found = self.smaller("text", "--predicate", "grep -q needle", "-o", "small")
        with open(self.path("small"), "rb") as stream:
            self.assertEqual(stream.read(), b"needle")
        self.assertEqual((found["bytes_before"], found["bytes_after"]), (str(20 * 20 + 6 + 30 * 12), "6"))

    def test_a_spelling_that_is_the_defect_is_kept(self):
        self.model("bad")
        with open(self.path("bad", "0", "def.json"), "rb") as stream:
            text = stream.read()
        self.write("bad/0/def.json", text.replace(b"{", b'{"twice": 1, "twice": 2, ', 1))
        self.smaller("bad", "--predicate", "grep -rq 'twice.*twice'", "-o", "small")
        files = {p: b for p, b in self.tree("small").items() if b is not None}
        self.assertEqual(len(files), 1)
        self.assertEqual(list(files.values()), [b"twicetwice"])

    def test_the_case_in_the_environment_and_in_place(self):
        self.write("a.txt", b"x" * 50)
        found = self.smaller("a.txt", "--predicate", 'test -s "$ASSAY_CASE" && test -s', "-o", "b.txt")
        self.assertEqual(found["bytes_after"], "1")
        found = self.smaller("a.txt", "--predicate", "test -s {} -a {} = \"$ASSAY_CASE\" && case {} in */a.txt) ;; "
                             "*) false ;; esac", "-o", "c.txt")
        self.assertEqual(found["bytes_after"], "1")

    def test_not_interesting(self):
        self.write("a.txt", b"x")
        ran = self.run_tool("reduce", "a.txt", "--predicate", "exit 7;", "-o", "b.txt")
        self.assertEqual((ran.code, ran.out, len(ran.err_lines)), (1, "", 1))
        self.assertRegex(ran.err, "a.txt: not interesting to begin with: the predicate exited with 7")
        self.assertEqual(os.listdir(self.dir), ["a.txt"])

    def test_a_hanging_command_is_not_interesting(self):
        self.write("a.txt", b"ab")
        begin = time.monotonic()
        ran = self.run_tool("reduce", "a.txt", "--predicate", "sleep 300 & sleep 300; true", "-o", "b.txt",
                            "--timeout", "1")
        self.assertLess(time.monotonic() - begin, 60)
        self.assertEqual(ran.code, 2)
        self.assertIn("took more than 1 s on the input itself", ran.err)

    def test_what_cannot_be_run(self):
        self.write("a.txt", b"ab")
        for command, what in (("nosuch-command", "exited with 127 on the input itself"), ("", "a command is expected"),
                              (" \t", "a command is expected"), ("./a.txt", "exited with 126 on the input itself")):
            self.failed(what, "reduce", "a.txt", "--predicate", command, "-o", "b.txt")
        self.assertEqual(os.listdir(self.dir), ["a.txt"])
        # Later on it is an answer like any other.
        self.smaller("a.txt", "--predicate", "grep -q ab {} || exit 127", "-o", "b.txt")

    def test_braces_that_would_not_be_replaced(self):
        for command in ("! test -s '{}'", "(test -s {})", "test -s {};"):
            self.failed("as a word of its own", "reduce", MATMUL, "--predicate", command, "-o", "out.neff")
        self.assertFalse(os.path.exists(self.path("out.neff")))
        self.ok("reduce", MATMUL, "--predicate", "test -s {}", "-o", "out.neff", "--max-checks", "3")

    def test_nothing_to_reduce(self):
        self.write("empty.txt", b"")
        os.mkdir(self.path("empty"))
        for name in ("empty.txt", "empty"):
            self.failed("nothing to reduce", "reduce", name, "--predicate", "true", "-o", "b")
        self.assertEqual(sorted(os.listdir(self.dir)), ["empty", "empty.txt"])

    def test_the_input_is_not_overwritten(self):
        self.write("a.txt", b"ab")
        os.link(self.path("a.txt"), self.path("b.txt"))
        os.symlink("a.txt", self.path("c.txt"))
        for name in ("a.txt", "./a.txt", "b.txt", "c.txt"):
            self.failed("is the input itself", "reduce", "a.txt", "--predicate", "true", "-o", name)
        self.write("d.txt", b"old")
        self.smaller("a.txt", "--predicate", "test -s", "-o", "d.txt")
        self.failed("its directory is not there: nosuch", "reduce", "a.txt", "--predicate", "true", "-o", "nosuch/b")

    def test_places_that_are_taken(self):
        self.write("a.txt", b"ab")
        os.makedirs(self.path("there", "inner"))
        self.failed("is not empty", "reduce", ALLREDUCE, "--predicate", "true", "-o", "there")
        self.failed("Not a directory", "reduce", ALLREDUCE, "--predicate", "true", "-o", "a.txt")
        self.failed("file's name", "reduce", "a.txt", "--predicate", "true", "-o", "there")
        self.failed("No such file", "reduce", "absent", "--predicate", "true", "-o", "b.txt")
        self.assertEqual(self.tree("there"), {"inner": None})

    def test_bound_on_checks(self):
        self.write("a.txt", b"x" * 1000)
        found = self.smaller("a.txt", "--predicate", "test -s", "-o", "b.txt", "--max-checks", "5")
        self.assertEqual(found["checks"], "5")

    def test_interrupted_leaves_the_best_so_far(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                self.interrupt(number)

    def interrupt(self, number):
        self.write("a.txt", b"x" * 2000)
        with subprocess.Popen([TOOL, "reduce", "a.txt", "--predicate", "sleep 0.05; test -s", "-o", "b.txt", "--json"],
                              cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as child:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                if os.path.exists(self.path("b.txt")) and os.path.getsize(self.path("b.txt")) < 2000:
                    break
                time.sleep(0.02)
            child.send_signal(number)
            out, err = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 128 + number)
        self.assertIn(b"interrupted", err)
        value = json.loads(out)
        self.assertTrue(value["interrupted"])
        self.assertEqual(value["bytes_after"], os.path.getsize(self.path("b.txt")))
        self.assertLess(value["bytes_after"], 2000)
        self.assertEqual(sorted(os.listdir(self.dir)), ["a.txt", "b.txt"])
        os.remove(self.path("b.txt"))


if __name__ == "__main__":
    unittest.main()
