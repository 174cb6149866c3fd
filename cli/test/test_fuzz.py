# SPDX-License-Identifier: Apache-2.0
"""assay fuzz: every way in which an engine can end, by a script in place of the target."""

import json
import os
import pty
import shutil
import signal
import subprocess
import time
import unittest

import schema
from fuzzing import FuzzTest
from tool import ROOT, TOOL, words

class Runs(FuzzTest):
    def test_nothing_found(self):
        value, err = self.fuzz("well", "--runs", "500", "--seed", "7", code=0)
        self.assertEqual(err, "")
        self.assertEqual({k: value[k] for k in ("target", "engine", "sanitizer", "jobs", "seed", "executions", "corpus",
                                                "edges", "findings", "interrupted", "error")},
                         {"target": "dtype", "engine": "libfuzzer", "sanitizer": "address", "jobs": 1, "seed": 7,
                          "executions": 500, "corpus": 6, "edges": 13, "findings": 0, "interrupted": False,
                          "error": None})

    def test_text(self):
        ran = self.run_tool("fuzz", "dtype", "--seconds", "2", env=self.env("well"))
        self.assertEqual((ran.code, ran.err, len(ran.out_lines)), (0, "", 1))
        last = words(ran.out)
        self.assertEqual((last["target"], last["executions"], last["findings"]), ("dtype", "1000", "0"))
        self.assertGreaterEqual(float(last["seconds"]), 1.9)

    def test_what_the_engine_is_given(self):
        self.fuzz("well", "--runs", "5", "--jobs", "2", "--seed", "7", "--out", "assay-fuzz/dtype", "--corpus", "mine",
                  code=0)
        given = sorted(line.split() for line in self.lines("log"))
        self.assertEqual(len(given), 2)
        for line, runs, number in zip(given, ("3", "2"), "01"):
            options = dict(word[1:].split("=", 1) for word in line[:-1])
            prefix = options.pop("artifact_prefix")
            self.assertRegex(prefix, rf"^{self.path('assay-fuzz/dtype/artifacts')}/\d+-{number}-$")
            self.assertEqual(options, {"max_len": "256", "timeout": "1", "dict": os.path.join(self.out, "dtype.dict"),
                                       "reload": "1", "print_final_stats": "1", "runs": runs,
                                       "seed": str(7 + int(number))})
            self.assertEqual(line[-1], self.path("mine"))

    def test_starts_with_the_seeds(self):
        self.fuzz("seeds", "--runs", "1", code=0)
        self.assertEqual(self.tree("assay-fuzz", "dtype", "corpus"),
                         {f"seed-{i}": f"seed {i}".encode() for i in range(3)})
        # A corpus that holds something stays as it is.
        self.write("mine/own", b"x")
        self.fuzz("well", "--runs", "1", "--corpus", "mine", code=0)
        self.assertEqual(self.tree("mine"), {"own": b"x"})
        # Below what is made anyway, or with a slash behind it.
        self.fuzz("well", "--runs", "1", "--out", "other", "--corpus", "other/kept/", code=0)
        self.assertEqual(len(self.tree("other/kept")), 3)

    def test_a_flood_of_output(self):
        value, _ = self.fuzz("flood", "--runs", "64", code=0)
        self.assertEqual(value["executions"], 64)

    def test_default_seed_is_fresh(self):
        seeds = {self.fuzz("well", "--runs", "1", code=0)[0]["seed"] for _ in range(2)}
        self.assertEqual(len(seeds), 2)

    def test_live_line(self):
        parent, child = pty.openpty()
        with subprocess.Popen([TOOL, "fuzz", "dtype", "--seconds", "4"], cwd=self.dir, stdout=subprocess.PIPE,
                              stderr=child, env={**self.env("well"), "TERM": "xterm"}) as running:
            os.close(child)
            seen = b""
            try:
                while chunk := os.read(parent, 4096):
                    seen += chunk
            except OSError:
                pass
            self.assertEqual(running.wait(), 0)
        os.close(parent)
        self.assertRegex(seen, rb"\d/4 s: 64 execs, \d+/s, corpus 6, edges 13, 0 found")


class NoRuns(FuzzTest):
    """Exit code 2: whatever was no run, or none to its end."""

    def no_run(self, fake, pattern, *args, findings=0):
        value, err = self.fuzz(fake, *(args or ("--seconds", "4")), code=1 if findings else 2)
        self.assertRegex(value["error"], pattern)
        self.assertIn("assay: fuzz: ", err)
        self.assertEqual(value["findings"], findings)
        return value

    def test_exits_with_0_and_ran_nothing(self):
        self.no_run("silent", "exited with 0 after 0 s for no reason: it said nothing")

    def test_sleeps_and_ran_nothing(self):
        self.no_run("nothing", "executed nothing", "--seconds", "1")

    def test_ends_early(self):
        self.no_run("early", "exited with 0 after .* for no reason")
        self.no_run("early", "exited with 0 after .* for no reason", "--runs", "65")
        self.assertEqual(len(self.lines("log")), 3 + 2)  # tried three times; the second of two had run enough

    def test_uninstrumented(self):
        self.no_run("uninstrumented", "exited with 1 .*: ERROR: no interesting inputs were found")
        self.assertEqual(len(self.lines("log")), 1)

    def test_dies_without_an_artifact(self):
        # A line of its status is no reason.
        value = self.no_run("killed", "died of signal 9 after .* for no reason: it did not say why$")
        self.assertEqual(value["executions"], 3 * 64)
        self.assertIn(b"INITED", self.tree("assay-fuzz/dtype")["engine.log"])

    def test_dies_once_and_goes_on(self):
        value = self.no_run("once", "exited with 3", "--runs", "100")
        self.assertGreaterEqual(value["executions"], 100)

    def test_does_not_end(self):
        begin = time.monotonic()
        self.no_run("hang", "did not end in time", "--seconds", "1")
        self.assertLess(time.monotonic() - begin, 30)  # a second, the grace of 6 and the patience of 3

    def test_reads_its_corpus_to_the_end_of_time(self):
        self.no_run("loading", "corpus was still being read", "--seconds", "1")

    def test_dies_at_its_start(self):
        value = self.no_run("stuck", "dies before it has read its corpus", "--runs", "100", findings=1)
        self.assertEqual(value["found"][0]["times"], 3)
        self.assertEqual(value["found"][0]["key"], "some trouble")

    def test_no_such_program(self):
        os.remove(os.path.join(self.out, "dtype"))
        self.failed("not built; this builds it: fuzzers/build asan", "fuzz", "dtype", env=self.env("well"))
        self.assertEqual(os.listdir(self.dir), ["fuzzers"])
        os.mkdir(self.path("empty"))
        for args, form in (((), "asan"), (("--sanitizer", "undefined"), "ubsan"), (("--sanitizer", "none"), "fast"),
                           (("--engine", "afl"), "afl")):
            self.failed("fuzzers/build " + form, "fuzz", "dtype", "--fuzzers", "empty", *args)

    def test_no_such_directory_of_fuzzers(self):
        for args in (("--list",), ("dtype",)):
            self.failed("absent: No such file or directory", "fuzz", *args, "--fuzzers", "absent",
                        env=self.env("well"))
        self.failed("absent: No such file", "fuzz", "--list", env={**self.env("well"), "ASSAY_FUZZERS": "absent"})

    def test_a_program_that_is_none(self):
        self.write("fuzzers/fuzz-asan/out/dtype", b"\x7fELF no")
        os.chmod(os.path.join(self.out, "dtype"), 0o755)
        ran = self.run_tool("fuzz", "dtype", "--seconds", "3", env=self.env("well"))
        self.assertEqual(ran.code, 2)
        self.assertIn("assay: fuzz: ", ran.err)

    def test_a_broken_seed_corpus(self):
        self.write("fuzzers/fuzz-asan/out/dtype_seed_corpus.zip", b"no zip")
        self.failed("dtype_seed_corpus.zip", "fuzz", "dtype", env=self.env("well"))

    def test_usage(self):
        for pattern, args in (("TARGET is required", ()), ("no target \"dtypes\".*mean \"dtype\"", ("dtypes",)),
                              ("1 to 4294967295", ("dtype", "--seed", "0")), ("1 or more", ("dtype", "--seconds", "0")),
                              ("at most 256", ("dtype", "--jobs", "257")), ("--engine", ("dtype", "--engine", "x")),
                              ("goes without", ("dtype", "--engine", "afl", "--sanitizer", "address")),
                              ("goes with", ("dtype", "--replay", "x", "--jobs", "2")),
                              ("goes with", ("dtype", "--list")),
                              ("targets: .*dtype, .*text_equiv", ("nothing_like_it",)),
                              ("assay: --seconds: at most", ("dtype", "--seconds", "4294967296", "--runs", "10")),
                              ("assay: --runs: at most", ("dtype", "--runs", "4294967296", "--seconds", "10"))):
            self.failed(pattern, "fuzz", *args, env=self.env("well"))

    def test_places_that_cannot_be_written(self):
        self.write("file", b"")
        for option in ("--out", "--corpus"):
            self.failed(f"fuzz: {option} file/x: .*Not a directory", "fuzz", "dtype", option, "file/x",
                        env=self.env("well"))
        self.failed("fuzz: --corpus mistyped/mine: .*No such file or directory", "fuzz", "dtype", "--corpus",
                    "mistyped/mine", env=self.env("well"))
        self.assertEqual(sorted(os.listdir(self.dir)), ["file", "fuzzers"])


class Replay(FuzzTest):
    def replay(self, fake, *paths, code):
        ran = self.run_tool("fuzz", "dtype", "--replay", *paths, "--json", env=self.env(fake))
        self.assertEqual(ran.code, code, ran.err)
        value = json.loads(ran.out)
        schema.check(value, os.path.join(ROOT, "schemas", "fuzz-replay.schema.json"))
        return value["inputs"], ran.err

    def test_verdicts(self):
        self.write("in/a", b"fine")
        self.write("in/b", b"bad")
        self.write("in/c", b"slow")
        rows, _ = self.replay("well", "in/a", code=0)
        self.assertEqual([(r["path"], r["verdict"], r["key"]) for r in rows], [("in/a", "holds", None)])
        rows, _ = self.replay("well", "in", code=1)
        self.assertEqual([(r["path"], r["verdict"], r["kind"], r["key"]) for r in rows],
                         [("in/a", "holds", None, None), ("in/b", "found", "crash", "VAR-031"),
                          ("in/c", "found", "timeout", "libFuzzer: timeout")])
        ran = self.run_tool("fuzz", "dtype", "--replay", "in/a", "in/b", env=self.env("well"))
        self.assertEqual(ran.out_lines[-1], "target=dtype inputs=2 found=1")
        self.assertEqual(len(self.tree("in")), 3)
        self.assertFalse(os.path.exists(self.path("assay-fuzz")))

    def test_findings(self):
        self.fuzz("crash", "--runs", "1000", code=1)
        for path in ("assay-fuzz/dtype/findings", "assay-fuzz/dtype/findings/var-031"):
            rows, _ = self.replay("well", path, code=1)
            self.assertEqual([r["path"] for r in rows], ["assay-fuzz/dtype/findings/var-031/input"])

    def test_no_verdict(self):
        self.write("a", b"bad")
        for fake, text in (("unrun", "did not run it"), ("broken", "exited with 5")):
            rows, err = self.replay(fake, "a", code=2)
            self.assertEqual([r["verdict"] for r in rows], ["error"])
            self.assertIn(text, err)
        self.failed("absent", "fuzz", "dtype", "--replay", "absent", env=self.env("well"))

    def test_stored_cases_are_for_another_command(self):
        self.ok("gen", "--count", "2", "--seed", "1", "--kind", "dtype", "-o", "cases")
        one = sorted(name for name in os.listdir(self.path("cases")) if name != "index.json")[0]
        for path in ("cases", "cases/" + one):
            self.failed(f"{path}: .*assay replay {path} judges stored cases", "fuzz", "dtype", "--replay", path,
                        env=self.env("well"))
        os.rename(self.path("cases"), self.path("my cases"))
        os.remove(self.path("my cases/index.json"))
        self.failed("assay replay 'my cases' judges stored cases", "fuzz", "dtype", "--replay", "my cases",
                    env=self.env("well"))

    def test_inputs_are_opened_but_not_read(self):
        os.mkfifo(self.path("pipe"))  # reading it would last for ever
        done = subprocess.run([TOOL, "fuzz", "dtype", "--replay", "pipe"], cwd=self.dir, env=self.env("clean"),
                              capture_output=True, text=True, timeout=20, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        os.makedirs(self.path("findings/x/input"))
        self.write("findings/x/finding.json", b"{}")
        self.failed("input: Is a directory", "fuzz", "dtype", "--replay", "findings", env=self.env("well"))

    def test_a_hang_is_told(self):
        self.write("a", b"x")
        rows, _ = self.replay("hang", "a", code=1)
        self.assertEqual((rows[0]["kind"], rows[0]["text"]), ("timeout", "took more than 1 s"))


class List(FuzzTest):
    def test_targets(self):
        for form in ("fast", "afl"):
            self.put_target(form, "subgraph")
        self.put_target("fast", "of_my_own")
        ran = self.run_tool("fuzz", "--list", "--json", env=self.env("well"))
        value = json.loads(ran.out)
        schema.check(value, os.path.join(ROOT, "schemas", "fuzz-list.schema.json"))
        rows = {r["name"]: r for r in value["targets"]}
        self.assertEqual(sorted(rows), sorted([*os.listdir(os.path.join(ROOT, "corpus", "seeds")), "of_my_own"]))
        self.assertEqual(rows["subgraph"]["built"], [{"engine": "libfuzzer", "sanitizer": "none"},
                                                     {"engine": "afl", "sanitizer": "none"}])
        self.assertEqual(rows["neff"]["built"], [])
        lines = self.run_tool("fuzz", "--list", env=self.env("well")).out_lines
        self.assertEqual([line.split()[0] for line in lines], ["target=" + r["name"] for r in value["targets"]])
        self.assertIn("target=dtype built=asan the dtype maps on strings and codes", lines)
        self.failed("--list goes with", "fuzz", "--list", "--jobs", "2")


class Script(FuzzTest):
    """The script at the root, in a tree where building does nothing but say what was to be built."""

    def setUp(self):
        super().setUp()
        for name in ("build/release/cli/assay", "fuzzers/build"):
            what = "tool $ASSAY_FUZZERS:" if name.endswith("assay") else "built"
            self.write("tree/" + name, f'#!/bin/sh\necho "{what}" "$@"\n[ "$1" != ubsan ]\n'.encode())
            os.chmod(self.path("tree", name), 0o755)
        self.write("tree/cmake/common.sh", b"packages() { :; }\nbuild() { :; }\nlock() { :; }\n")
        self.write("tree/fuzzers/neff_members.cpp", b"")
        shutil.copy(os.path.join(ROOT, "assay"), self.path("tree", "assay"))

    def test_builds_the_form_that_is_asked_for(self):
        env = {k: v for k, v in os.environ.items() if k != "ASSAY_FUZZERS"}
        fuzz = ["fuzz", "neff_members"]
        for args, built in ((fuzz, "asan"), ([*fuzz, "--sanitizer", "address"], "asan"),
                            ([*fuzz, "--sanitizer=none", "--jobs", "2"], "fast"), ([*fuzz, "--engine", "afl"], "afl"),
                            (["fuzz", "--engine=afl", "neff_members"], "afl"),
                            ([*fuzz, "--engine", "afl", "--sanitizer", "address"], None), (["fuzz", "--list"], None),
                            ([*fuzz, "--help"], None), ([*fuzz, "--fuzzers", "x"], None), (["fuzz"], None),
                            (["fuzz", "nef_members"], None)):
            with self.subTest(args=args):
                done = subprocess.run([self.path("tree", "assay"), *args], env=env, capture_output=True, text=True,
                                      timeout=60, check=False)
                tool = f"tool {self.path('tree', 'build')}: {' '.join(args)}\n"
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(done.stdout, tool if built is None else f"built {built}\n{tool}")

    def test_other_commands_and_the_users_own(self):
        for args, own in ((["lower", "neff_members"], ""), (["fuzz", "neff_members"], "mine")):
            done = subprocess.run([self.path("tree", "assay"), *args], env={**os.environ, "ASSAY_FUZZERS": own},
                                  capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.stdout, f"tool {own}: {' '.join(args)}\n")

    def test_a_build_that_fails(self):
        env = {k: v for k, v in os.environ.items() if k != "ASSAY_FUZZERS"}
        done = subprocess.run([self.path("tree", "assay"), "fuzz", "neff_members", "--sanitizer", "undefined"], env=env,
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, "built ubsan\n"))


if __name__ == "__main__":
    unittest.main()
