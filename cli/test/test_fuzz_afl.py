# SPDX-License-Identifier: Apache-2.0
"""assay fuzz --engine afl: what AFL++ is given and what is read of it, by a script in its place."""

import os
import shutil
import unittest

from fuzzing import HERE, FuzzTest
from tool import words


class Afl(FuzzTest):
    def setUp(self):
        super().setUp()
        self.put_target("afl", "dtype")
        os.mkdir(self.path("bin"))
        shutil.copy(os.path.join(HERE, "fake_afl.sh"), self.path("bin", "afl-fuzz"))

    def env(self, fake, **more):
        return super().env(fake, PATH=self.path("bin") + ":" + os.environ["PATH"], **more)

    def afl(self, fake, *args, code):
        return self.fuzz(fake, "--engine", "afl", *args, code=code)

    def test_well(self):
        value, err = self.afl("well", "--seconds", "1", "--seed", "7", code=0)
        self.assertEqual(err, "")
        told = ("engine", "sanitizer", "executions", "corpus", "edges", "seed", "error")
        self.assertEqual({k: value[k] for k in told},
                         {"engine": "afl", "sanitizer": "none", "executions": 900, "corpus": 7, "edges": 21, "seed": 7,
                          "error": None})
        # What is new in the queue is in the corpus now; nothing else is left.
        corpus = self.tree("assay-fuzz/dtype/corpus")
        self.assertEqual(sorted(corpus.values()), [b"new", b"seed 0", b"seed 1", b"seed 2"])
        self.assertEqual(sorted(os.listdir(self.path("assay-fuzz/dtype"))), ["artifacts", "corpus", "findings"])

    def test_what_it_is_given(self):
        self.afl("well", "--seconds", "1", "--seed", "7", code=0)
        given, = self.lines("log")
        out, place = self.path("fuzzers/fuzz-afl/out/dtype"), self.path("assay-fuzz/dtype")
        self.assertRegex(given, f"^-i {place}/corpus -o {place}/afl-[0-9]+ "
                                f"-m none -t 1000\\+ -s 7 -x {out}.dict -G 256 -V 1 -- {out}$")
        given = dict(line.split("=", 1) for line in self.lines("log.environment"))
        self.assertNotIn("AFL_CUSTOM_MUTATOR_LIBRARY", given)
        for name in ("AFL_SKIP_CPUFREQ", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "AFL_NO_UI", "AFL_NO_AFFINITY"):
            self.assertEqual(given[name], "1")

    def test_jobs(self):
        value, _ = self.afl("well", "--seconds", "1", "--seed", "7", "--jobs", "3", code=0)
        self.assertEqual(value["executions"], 2700)
        names = sorted(" ".join(line.split()[4:6]) + line[line.index(" -s "):][:5] for line in self.lines("log"))
        self.assertEqual(names, ["-M main -s 7", "-S s1 -s 8", "-S s2 -s 9"])

    def test_mutators_of_the_target(self):
        # As a program names the libraries that it needs.
        with open(self.path("fuzzers/fuzz-afl/out/dtype"), "ab") as program:
            program.write(b"\n# \0libc.so.6\0libassay_mutators_model.so\0libm.so.6\0\n")
        value, _ = self.afl("well", "--seconds", "1", code=2)
        library = self.path("fuzzers/fuzz-afl/out/lib/libassay_mutators_model.so")
        self.assertEqual(value["error"], library + ": is missing")
        self.write("fuzzers/fuzz-afl/out/lib/libassay_mutators_model.so", b"")
        self.afl("well", "--seconds", "1", code=0)
        self.assertIn("AFL_CUSTOM_MUTATOR_LIBRARY=" + library, self.lines("log.environment"))

    def test_no_runs(self):
        for fake, pattern in (("silent", "exited with 0 after .* for no reason: it said nothing"),
                              ("nothing", "executed nothing"),
                              ("abort", "exited with 1 .*: PROGRAM ABORT : Fork server handshake failed$"),
                              ("hang", "did not end in time")):
            with self.subTest(fake=fake):
                value, err = self.afl(fake, "--seconds", "2" if fake in ("silent", "abort") else "1", code=2)
                self.assertRegex(value["error"], pattern)
                self.assertIn("assay: fuzz: ", err)
        log = self.tree("assay-fuzz/dtype")["engine.log"]
        self.assertTrue(log == b"" or b"PROGRAM" in log)

    def test_no_engine(self):
        os.remove(self.path("bin", "afl-fuzz"))
        ran = self.run_tool("fuzz", "dtype", "--engine", "afl", env={**self.env("well"), "PATH": self.path("bin")})
        self.assertEqual(ran.code, 2)
        self.assertRegex(ran.err, "assay: fuzz: afl-fuzz: No such file or directory .*package afl\\+\\+")

    def test_findings(self):
        value, _ = self.afl("crash", "--seconds", "1", code=1)
        self.assertEqual({(f["key"], f["kind"], f["times"], f["input_bytes"], f["repeats"]["found"])
                          for f in value["found"]},
                         {("VAR-031", "crash", 2, 3, 1), ("crash that does not repeat", "crash", 1, 4, 0),
                          ("libFuzzer: timeout", "timeout", 1, 4, 1)})
        self.assertEqual({f["case"] for f in value["found"]}, {"dtype"})
        log = self.tree("assay-fuzz/dtype/findings/var-031")["log"]
        self.assertIn(b"afl-fuzz: id:00000", log)
        self.assertIn(b"found: VAR-031", log)

    def test_a_seed_that_it_passes_over(self):
        self.write("mine/a", b"fine")
        self.write("mine/b", b"bad one")
        value, err = self.afl("seed", "--seconds", "1", "--corpus", "mine", code=1)
        self.assertEqual([(f["key"], f["input_bytes"]) for f in value["found"]], [("VAR-031", 7)])
        self.assertEqual(self.tree("mine"), {"a": b"fine"})
        self.assertIn("b ends the target: moved to", err)

    def test_statistics_while_it_runs(self):
        ran = self.run_tool("fuzz", "dtype", "--engine", "afl", "--seconds", "1", env=self.env("live"))
        self.assertEqual((ran.code, ran.err), (0, ""))
        self.assertEqual(words(ran.out)["executions"], "1234")

    def test_the_runs_asked_for(self):
        value, _ = self.afl("well", "--runs", "900", code=0)
        self.assertEqual((value["executions"], value["error"]), (900, None))
        self.assertIn(" -E 900 ", self.lines("log")[0])
        value, _ = self.afl("well", "--runs", "901", code=2)
        self.assertIn("for no reason", value["error"])


if __name__ == "__main__":
    unittest.main()
