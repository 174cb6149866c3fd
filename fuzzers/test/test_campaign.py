# SPDX-License-Identifier: Apache-2.0
"""fuzzers/measure: how logs of libFuzzer are read, and the long table on programs that only pretend."""
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "measuring"))

import campaign  # noqa: E402
import runs  # noqa: E402

LOG = """\
INFO: Running with entropic power schedule (0xFF, 100).
INFO: Seed: 1
#100	INITED cov: 4321 ft: 9876 corp: 80/120Kb exec/s: 0 rss: 60Mb
#131072	pulse  cov: 4400 ft: 10000 corp: 90/2Mb lim: 4096 exec/s: 2000 rss: 70Mb
#200000	DONE   cov: 4444 ft: 10001 corp: 91/3456b lim: 4096 exec/s: 2000 rss: 70Mb
Done 200000 runs in 100 second(s)
stat::number_of_executed_units: 200000
stat::average_exec_per_sec:     2000
stats: 200000 executions, 190000 reached lowering
"""
TRAP = """\
#100	INITED cov: 4321 ft: 9876 corp: 80/120Kb exec/s: 0 rss: 60Mb
found: VAR-031 at sg00/def.json: something
==4242== ERROR: libFuzzer: deadly signal
SUMMARY: libFuzzer: deadly signal
Test unit written to /x/crash-1234
stat::number_of_executed_units: 345
"""
ASAN = "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address\nSUMMARY: AddressSanitizer: heap-buffer-overflow a.cpp:1\n"

# Says that it ran to the limit that it was given, or what PRETEND holds.
PROGRAM = """#!/bin/sh
for a; do case $a in -runs=*) n=${a#-runs=} ;; -artifact_prefix=*) at=${a#*=} ;; esac; done
[ "$n" -gt 600000 ] && n=600000
[ -z "$INTERRUPT" ] || exit 72
[ -z "$HANG" ] || exec sleep 60
[ -z "$PRETEND" ] || { echo x >"${at}crash-1"; printf '%b' "$PRETEND" >&2; exit 77; }
echo "#$n	DONE   cov: 12 ft: 13 corp: 1/1b" >&2
echo "stat::number_of_executed_units: $n" >&2
[ -n "$SILENT" ] || echo "stats: $n executions, $((n / 2)) reached lowering, 7 accepted" >&2
"""


class Logs(unittest.TestCase):
    def test_a_whole_log(self):
        log = runs.parse(LOG)
        self.assertEqual((log.executions, log.edges, log.counted, log.reached), (200000, 4444, 200000, 190000))
        self.assertEqual((log.corpus, log.corpus_bytes, log.accepted, log.found), (91, 3456, None, ""))

    def test_accepted(self):
        log = runs.parse("stats: 10 executions, 5 reached lowering, 6 accepted\n")
        self.assertEqual((log.counted, log.reached, log.accepted), (10, 5, 6))

    def test_a_log_cut_short(self):
        log = runs.parse(LOG[:LOG.index("#200000")])
        self.assertEqual((log.executions, log.edges, log.corpus_bytes), (131072, 4400, 2 << 20))
        self.assertEqual(runs.parse("").executions, None)

    def test_what_was_found_is_what_tells_most(self):
        self.assertEqual(runs.parse(TRAP).found, "found: VAR-031 at sg00/def.json: something")
        self.assertEqual(runs.parse(TRAP).executions, 345)
        self.assertEqual(runs.parse(ASAN).found, "SUMMARY: AddressSanitizer: heap-buffer-overflow a.cpp:1")
        self.assertEqual(runs.parse(TRAP.replace("found:", "lost:")).found, "libFuzzer: deadly signal")
        self.assertEqual(runs.parse("a.cpp:3:4: runtime error: shift\n").found, "shift")


class Campaign(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="assay-test.")
        self.addCleanup(shutil.rmtree, self.root)
        out = os.path.join(self.root, "fuzz-asan", "out")
        os.makedirs(out)
        os.makedirs(os.path.join(self.root, "seeds", "one"))
        for name, text in (("fuzz-asan/out/one", PROGRAM), ("fuzz-asan/out/one.dict", ""), ("seeds/one/seed", "x"),
                           ("fuzz-asan/out/one.options", "[libfuzzer]\nmax_len = 64\n")):
            with open(os.path.join(self.root, name), "w", encoding="utf-8") as stream:
                stream.write(text)
        os.chmod(os.path.join(out, "one"), 0o755)
        self.program = os.path.join(out, "one")
        for module, name, to in ((runs, "BUILD", self.root), (runs, "SEEDS", os.path.join(self.root, "seeds")),
                                 (campaign, "KEPT", os.path.join(self.root, "kept")),
                                 (campaign, "FINDINGS", os.path.join(self.root, "findings"))):
            self.addCleanup(setattr, module, name, getattr(module, name))
            setattr(module, name, to)
        for name in ("PRETEND", "SILENT", "INTERRUPT", "HANG"):
            self.addCleanup(os.environ.pop, name, None)

    def state(self):
        return campaign.main(["asan"], None, 1, lambda text: None)[0]

    def test_pieces_add_up(self):
        s = self.state()
        self.assertEqual((s["executions"], s["counted"], s["reached"], s["pieces"]), (1000000, 1000000, 500000, 2))
        self.assertEqual((s["edges"], s["findings"], s["sanitizer"]), (12, [], "address"))
        self.assertIn("1,000,000", campaign.table_of([s]).text())
        self.assertIn("50.0 %", campaign.table_of([s]).text())

    def test_what_is_done_is_not_done_again(self):
        first = self.state()
        os.environ["PRETEND"] = TRAP  # would be seen if it ran
        self.assertEqual(self.state(), first)
        with open(self.program, "a", encoding="utf-8") as stream:
            stream.write("# built anew\n")
        self.assertEqual(len(self.state()["findings"]), 1)

    def test_an_interrupted_pair_goes_on(self):
        os.makedirs(campaign.KEPT)
        pair = campaign.Pair("asan", "one")
        pair.piece()
        self.assertFalse(campaign.is_done(pair.state))
        s = self.state()
        self.assertEqual((s["pieces"], s["executions"]), (2, 1000000))

    def test_a_piece_that_was_interrupted_is_no_finding(self):
        os.environ["INTERRUPT"] = "1"
        with self.assertRaises(runs.Unmeasured):
            self.state()
        del os.environ["INTERRUPT"]
        self.assertEqual(self.state()["findings"], [])

    def test_nor_is_one_that_was_stopped(self):
        os.environ["HANG"] = "1"
        stop = threading.Timer(0.5, runs.stop_all)
        stop.start()
        with self.assertRaises(runs.Unmeasured):
            self.state()
        stop.join()
        del os.environ["HANG"]
        self.assertEqual(self.state()["findings"], [])

    def test_a_busy_machine_is_no_hang(self):
        self.assertEqual(campaign.patient(["-max_len=4", "-timeout=10"]), ["-max_len=4", "-timeout=200"])

    def test_a_finding_is_kept(self):
        os.environ["PRETEND"] = TRAP
        s = self.state()
        self.assertEqual(len(s["findings"]), 1)
        self.assertEqual(s["findings"][0]["what"], "found: VAR-031 at sg00/def.json: something")
        self.assertEqual(s["executions"], 345)
        self.assertEqual(sorted(os.listdir(os.path.join(campaign.FINDINGS, "asan-one"))), ["crash-1", "piece-1.log"])

    def test_a_program_that_tells_nothing_is_no_measurement(self):
        os.environ["SILENT"] = "1"
        with self.assertRaises(runs.Unmeasured):
            self.state()

    def test_no_seeds_is_no_measurement(self):
        os.remove(os.path.join(self.root, "seeds", "one", "seed"))
        with self.assertRaises(runs.Unmeasured):
            self.state()

    def test_the_processor_time_ends_it(self):
        self.assertTrue(campaign.is_done({"findings": [], "executions": 5, "cpu": 479.0}))
        self.assertFalse(campaign.is_done({"findings": [], "executions": 5, "cpu": 470.0}))


class Names(unittest.TestCase):
    """A name that is wrong is told before anything is built or run."""

    def test_what_is_no_name(self):
        measure = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "measure")
        for arguments, text in ((["--targets", "dtype,nosuch"], "no such target: nosuch (there are defjson_bytes, "),
                                (["--targets", ""], "no such target: "),
                                (["--campaign", "asan,msan"], "no such form: msan (there are asan, ubsan, fast)"),
                                (["--campaign", ""], "no such form: "),
                                (["--only", "speed,weight"], "no such part: weight (there are speed, edges, "),
                                (["--bugs", "1,x,9999"], "no such bug: x, 9999 (there are 1, 2, ")):
            with self.subTest(arguments=arguments):
                done = subprocess.run([sys.executable, "-B", measure, "--no-build", *arguments], capture_output=True,
                                      text=True, timeout=60, check=False)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
