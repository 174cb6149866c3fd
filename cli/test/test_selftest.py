# SPDX-License-Identifier: Apache-2.0
"""`assay selftest`: the kill table and the trace as a user sees them.

The whole table takes minutes: it is made with ASSAY_LONG set (./test --long), else a part of it.
"""

import json
import os
import pty
import re
import resource
import select
import shutil
import signal
import subprocess
import time
import unittest

from tool import ROOT, TOOL, ToolTest, environment, words

VECTORS = os.path.join(ROOT, "conformance", "vectors")
HOSTILE = {"silent", "slow", "talkative", "truncating", "wrong ids", "wrong order", "dying", "printing", "growing",
           "refusing", "accepting", "echoing"}


class SelfTest(ToolTest):
    def run_tool(self, *args, **options):
        return super().run_tool(*args, **{"timeout": 1700, **options})

    def vectors_without(self, requirement):
        """A suite without the cases that were made for a requirement."""
        shutil.copytree(VECTORS, self.path("vectors"), ignore=shutil.ignore_patterns("sources", "*.cpp", "*.h", "*.md"))
        name = self.path("vectors", requirement.split("-")[0] + ".json")
        with open(name, encoding="utf-8") as stream:
            suite = json.load(stream)
        suite["cases"] = [c for c in suite["cases"] if c["requirements"][0] != requirement]
        with open(name, "w", encoding="utf-8") as stream:
            json.dump(suite, stream)
        return environment(ASSAY_VECTORS=self.path("vectors"))


class KillTable(SelfTest):
    def kept_right(self, report):
        self.assertEqual((report["killed"], report["by_name"]), (report["mutants"], report["mutants"]))
        self.assertEqual(report["hostile_right"], report["hostile"])
        self.assertEqual((report["sound"], report["interrupted"], report["not_judged"]), (True, False, 0))
        for row in report["rows"]:
            self.assertEqual(row["verdict"], "reported" if row["should"] else "killed", row)
            self.assertEqual(row["naming"] > 0, not row["should"], row)
            self.assertTrue(row["id"].startswith(row["requirement"] + "-"), row)
            self.assertTrue(row["by"], row)
        for row in report["hostile_rows"]:
            self.assertEqual((row["right"], row["held"], row["problems"]), (True, "", []), row)

    @unittest.skipUnless(os.environ.get("ASSAY_LONG"), "takes minutes: set ASSAY_LONG=1")
    def test_every_mutant_is_killed_by_name_and_every_hostile_one_is_right(self):
        began = time.monotonic()
        report = self.json("selftest", "selftest", "--jobs", "2")
        self.kept_right(report)
        self.assertEqual((report["whole"], report["without_case"], report["without_mutant"]), (True, [], []))
        self.assertEqual({row["name"] for row in report["hostile_rows"]}, HOSTILE)
        self.assertEqual([row["id"] for row in report["rows"] if row["should"]], ["DMB-023-outermost-first"])
        trace = self.json("selftest-trace", "selftest", "--trace")
        self.assertEqual(sorted(row["id"] for row in report["rows"]),
                         sorted(m for row in trace["rows"] for m in row["mutants"] + row["reported"]))
        print(f"selftest --jobs 2: {time.monotonic() - began:.0f} s")

    def test_a_part(self):
        only = ["--only", "LOW-003", "--only", "DMB-023", "--only", "wrong ids", "--only", "DT-012-min-max-swapped"]
        report = self.json("selftest", "selftest", *only)
        self.kept_right(report)
        self.assertEqual([report[k] for k in ("mutants", "reported", "hostile", "whole")], [3, 1, 1, False])
        ran = self.ok("selftest", *only, "--full", "--jobs", "1")
        self.assertEqual(len(ran.out_lines), 6)
        last = words(ran.out_lines[-1])
        last.pop("seconds")
        self.assertEqual(last, {"mutants": "3", "killed": "3", "by_name": "3", "reported": "1", "hostile": "1",
                                "hostile_right": "1", "sound": "yes"})
        said = next(line for line in ran.out_lines if "outermost" in line)
        self.assertRegex(said, "^reported .*which passes.*medium evidence.* 0 failing")
        cases = {int(n) for n in re.findall(r"\((\d+) cases", ran.out)}
        self.assertEqual(len(cases), 1)  # --full: every mutant is asked all
        self.assertGreater(cases.pop(), 2000)

    def test_what_is_not_sound_is_told_and_exits_with_1(self):
        env = self.vectors_without("LOW-003")
        ran = self.run_tool("selftest", "--only", "LOW-003", "--only", "LOW-012", env=env)
        self.assertEqual((ran.code, ran.err), (1, ""))
        self.assertEqual(ran.out_lines[-2], "not sound: mutant LOW-003-ninstr-up is alive")
        self.assertEqual(words(ran.out_lines[-1])["sound"], "no")

    def test_what_cannot_be_judged_exits_with_2(self):
        self.failed("ASSAY_VECTORS", "selftest", env=environment(ASSAY_VECTORS="nowhere"))
        # No process to be had for any row.
        ran = self.run_tool("selftest", "--only", "LOW-003", "--only", "silent", preexec_fn=self.no_descriptors)
        self.assertEqual(ran.code, 2, ran.out)
        self.assertEqual(ran.err, "assay: selftest: 2 implementations could not be judged\n")
        self.assertIn(" not_judged=2 sound=no", ran.out)

    @staticmethod
    def no_descriptors():
        resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))  # one file at a time, and no pipe

    def test_usage(self):
        self.failed("no mutant and no hostile implementation \"silnt\".*mean \"silent\"", "selftest", "--only", "silnt")
        self.failed("did you mean \"LOW-003\"", "selftest", "--only", "LOW-03")
        self.failed("RES-001 decides no level", "selftest", "--only", "RES-001")
        self.failed("--trace goes with --json alone", "selftest", "--trace", "--full")
        self.failed("--trace goes with --json alone", "selftest", "--trace", "--only", "silent")
        self.failed("1 or more", "selftest", "--jobs", "0")


class Running(SelfTest):
    def test_a_terminal_shows_progress(self):
        parent, child = pty.openpty()
        running = subprocess.Popen([TOOL, "selftest", "--only", "silent", "--only", "wrong order"], stderr=child,
                                   stdout=subprocess.PIPE, env=environment(TERM="xterm"), cwd=self.dir)
        os.close(child)
        out, _ = running.communicate(timeout=120)
        shown = b""
        try:
            while select.select([parent], [], [], 1)[0]:
                shown += os.read(parent, 4096)
        except OSError:
            pass  # the other end is closed
        os.close(parent)
        self.assertEqual(running.returncode, 0)
        self.assertIn(b" sound=yes ", out)
        self.assertRegex(shown, rb"proving the suite: \d of 2 implementations \[\d+ s\]")
        self.assertTrue(shown.endswith(b"\r\x1b[K"))

    def wait_for_children(self, pid):
        for _ in range(600):
            with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as stream:
                if len(stream.read().split()) == 2:
                    return
            time.sleep(0.1)
        self.fail("it starts no jobs")

    def test_an_interrupted_run_tells_what_it_has_and_leaves_nobody(self):
        for sent, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            running = subprocess.Popen([TOOL, "selftest", "--jobs", "2"], env=environment(), cwd=self.dir,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
            self.wait_for_children(running.pid)
            running.send_signal(sent)
            out, err = running.communicate(timeout=30)
            self.assertEqual((running.returncode, err), (code, b""))
            self.assertIn(b"\ninterrupted\n", b"\n" + out)
            self.assertIn(b" sound=no ", out)
            with self.assertRaises(ProcessLookupError):
                for _ in range(100):
                    os.killpg(running.pid, 0)
                    time.sleep(0.1)


class Trace(SelfTest):
    def test_no_requirement_lacks_a_case_or_a_mutant(self):
        trace = self.json("selftest-trace", "selftest", "--trace")
        self.assertEqual((trace["whole"], trace["without_case"], trace["without_mutant"]), (True, [], []))
        with open(os.path.join(ROOT, "corpus", "spec", "requirements.json"), encoding="utf-8") as stream:
            catalogue = {row["id"]: row for row in json.load(stream)["requirements"]}
        self.assertEqual(len(trace["rows"]), trace["requirements"])
        listed = self.json("certify-list", "certify", "--list", "--seed", "1")["cases"]
        ops = {case["id"]: case["op"] for case in listed}
        for row in trace["rows"]:
            at = catalogue[row["requirement"]]
            self.assertEqual((at["level"], at["observable"]), ("must", row["op"]))
            self.assertTrue(row["cases"] and row["mutants"], row)
            self.assertEqual({ops[case] for case in row["cases"]}, {row["op"]}, row)
        shown = {i for i, at in catalogue.items() if at["level"] == "must" and at["observable"] not in (None, "none")
                 and i.split("-")[0] not in ("PAT", "RES", "UDM")}
        self.assertEqual({row["requirement"] for row in trace["rows"]}, shown)

    def test_prints_a_line_a_requirement(self):
        ran = self.ok("selftest", "--trace")
        self.assertEqual(words(ran.out_lines[-1])["requirements"], str(len(ran.out_lines) - 1))
        line = next(line for line in ran.out_lines if line.startswith("LOW-003"))
        self.assertRegex(line, r"^LOW-003  L lower +\d+ cases: LOW-003/.*; mutants: LOW-003-ninstr-up$")

    def test_a_requirement_whose_cases_are_taken_away_is_told(self):
        env = self.vectors_without("LOW-003")
        ran = self.run_tool("selftest", "--trace", env=env)
        self.assertEqual((ran.code, ran.err), (1, ""))
        self.assertIn("no case for LOW-003", ran.out_lines)
        self.assertIn(" 0 cases: NONE; mutants: LOW-003-ninstr-up\n", ran.out)
        self.assertEqual(words(ran.out_lines[-1])["without_case"], "1")
        ran = self.run_tool("selftest", "--trace", "--json", env=env)
        self.assertEqual((ran.code, json.loads(ran.out)["without_case"]), (1, ["LOW-003"]))


if __name__ == "__main__":
    unittest.main()
