# SPDX-License-Identifier: Apache-2.0
"""`assay certify`, `assay certificate verify` and `assay serve`: as a user runs them.

ASSAY_ORACLE_LIBRARY names the oracle as a shared library; without it those tests are skipped.
"""

import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import unittest

from tool import ROOT, TOOL, ToolTest, environment, words

ADAPTERS = os.path.join(ROOT, "conformance", "adapters")
HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = os.environ.get("ASSAY_ORACLE_LIBRARY")
DOCUMENTS = ["certificate.json", "certificate.md", "junit.xml", "report.html"]


def python(*parts):
    return shlex.join([sys.executable, "-B", os.path.join(*parts)])


ORACLE = ["--exec", shlex.join([TOOL, "serve"])]
PYTHON = ["--exec", python(ADAPTERS, "python", "adapter.py")]
TEMPLATE = ["--exec", python(ADAPTERS, "templates", "python", "impl.py")]
WRONG = ["--exec", python(HERE, "wrong_ninstr.py")]


def held(report):
    return "".join(letter for letter, level in report["levels"].items() if level["held"])


class CertifyTest(ToolTest):
    def run_tool(self, *args, **options):
        return super().run_tool(*args, **{"timeout": 500, **options})

    def certify(self, *args, out="out", code=0, seed=1):
        # A busy machine is no implementation's fault.
        fixed = [] if "--generated" in args else ["--generated", "0"]
        return self.json("certify", "certify", *args, *fixed, "--timeout", "60", "--seed", str(seed), "-o",
                         self.path(out), code=code)

    def pasted(self, line):
        """Exit code and output of a line in a fresh shell, in the directory of the run."""
        ran = subprocess.run(["bash", "-c", line], cwd=self.dir, env={"PATH": "/usr/bin:/bin"}, check=False,
                             timeout=300, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return ran.returncode, ran.stdout.decode()

    def read(self, *parts):
        with open(self.path(*parts), "rb") as stream:
            return stream.read()

    def verify(self, code=0, out="out", *args):
        return self.json("certificate-verify", "certificate", "verify", self.path(out), *args, code=code)


class TheOracle(CertifyTest):
    def both_ways(self, *way):
        report = self.certify(*way, "--generated", "30")
        self.assertEqual((held(report), report["failures"]), ("DSILN", []))
        self.assertEqual(report["counts"]["pass"], report["cases"])
        again = self.certify(*way, "--generated", "30", out="again")
        self.assertEqual(held(again), "DSILN")
        for name in DOCUMENTS:
            day = re.compile(rb"20\d\d-\d\d-\d\d")
            self.assertEqual(day.sub(b"", self.read("out", name)), day.sub(b"", self.read("again", name)), name)
        self.assertEqual(sorted(os.listdir(self.path("out"))), DOCUMENTS)
        self.assertEqual(self.verify()["verdict"], "consistent, not re-run")
        rerun = self.verify(0, "out", "--rerun-sample", "25", *way)
        self.assertEqual((rerun["rerun"], rerun["verdict"]), (25, "consistent, 25 cases re-run"))

    def test_holds_every_level_as_a_process_and_twice_the_same(self):
        self.both_ways(*ORACLE)

    @unittest.skipUnless(LIBRARY, "no library named")
    def test_holds_every_level_as_a_library_and_twice_the_same(self):
        self.both_ways("--lib", LIBRARY)

    def test_serves_a_line(self):
        asked = b'{"id":0,"op":"hello","protocol":1,"suite":"1.0"}\n{"id":1,"op":"dtype","size":[1]}\n'
        ran = subprocess.run([TOOL, "serve"], input=asked, capture_output=True, check=True, timeout=60)
        hello, sizes = map(json.loads, ran.stdout.splitlines())
        self.assertEqual((hello["id"], hello["protocol"], hello["name"]), (0, 1, "oracle"))
        self.assertEqual((sizes["id"], sizes["status"]), (1, "ok"))


class Others(CertifyTest):
    def test_the_python_implementation_holds_four_levels(self):
        report = self.certify(*PYTHON, "--levels", "D,S,I,L")
        self.assertEqual(held(report)[:4], "DSIL", report["failures"][:3])

    def test_a_whole_run_has_generated_cases_a_choice_has_none(self):
        whole = self.json("certify", "certify", *PYTHON, "--seed", "1", "-o", self.path("out"))
        self.assertEqual((whole["generated"], held(whole)), (300, "DSILN"))
        self.assertEqual(self.verify()["verdict"], "consistent, not re-run")
        chosen = self.json("certify", "certify", *PYTHON, "--seed", "1", "--requirement", "LOW-003")
        self.assertEqual(chosen["generated"], 0)
        self.assertFalse([f for f in self.run_tool("certify", "--list").out_lines if f.startswith("generated/")])

    def test_who_answers_nothing_holds_nothing(self):
        report = self.certify(*TEMPLATE, code=1)
        self.assertEqual((held(report), report["counts"]["pass"]), ("", 0))
        self.assertEqual(report["counts"]["unsupported"], report["cases"])
        self.assertEqual(self.verify()["consistent"], True)

    def test_who_refuses_everything_is_told_what_that_does_not_prove(self):
        hello = {"protocol": 1, "name": "no", "version": "0", "ops": ["dtype", "lower"]}
        self.write("no.py", (
            "import json, sys\n"
            "for line in sys.stdin:\n"
            "    q = json.loads(line)\n"
            f"    a = {hello} if q['op'] == 'hello' else {{'status': 'refused'}}\n"
            "    print(json.dumps({'id': q['id'], **a}), flush=True)\n").encode())
        ran = self.run_tool("certify", "--exec", python(self.path("no.py")), "--seed", "1", "-o", self.path("out"))
        unproven = [line for line in ran.out_lines if line.startswith("unproven ")]
        self.assertEqual(len(unproven), 20)
        self.assertRegex(ran.out, r"(?m)^and \d+ more unproven cases, see the report$")

    def test_who_does_not_start_cannot_be_judged(self):
        for command in ("no-such-command-here", "exit 3", "echo hello", "cat"):
            ran = self.run_tool("certify", "--exec", command, "--seed", "1", "-o", self.path("out"))
            self.assertEqual((ran.code, ran.out), (2, ""), command)
            self.assertIn("certify: " + command, ran.err)
            self.assertFalse(os.path.exists(self.path("out", "certificate.json")))
        self.failed("no.such", "certify", "--lib", "no-such.so", "--seed", "1", "-o", self.path("lib"))


class AWrongOne(CertifyTest):
    def test_is_told_by_its_requirement_and_its_replay_line_shows_it(self):
        report = self.certify(*WRONG, code=1)
        self.assertNotIn("L", held(report))
        self.assertEqual(report["levels"]["L"]["missing"], ["LOW-003"])
        self.assertIn("LOW-002", report["levels"]["L"]["beside"])
        by_row = [f for f in report["failures"] if any(v["requirement"] == "LOW-003" for v in f["violations"])]
        self.assertTrue(by_row)
        kept = [f for f in report["failures"] if f["directory"]]
        self.assertTrue(kept)
        for f in kept:
            self.assertLessEqual({"request.json", "replay.txt", "requirement.txt"}, set(os.listdir(f["directory"])))
        # Made smaller: some kept request is smaller than the case's own.
        first = next(f for f in kept if any(v["requirement"] == "LOW-003" for v in f["violations"]))
        self.assertTrue(any(".ninstr" in v["place"] for v in first["violations"]), first)
        with open(os.path.join(first["directory"], "replay.txt"), encoding="utf-8") as stream:
            line = stream.read().strip()
        self.assertEqual(line, first["replay"])
        self.assertIn(" --timeout 60 ", line)
        code, out = self.pasted(line)
        self.assertEqual(code, 1)
        self.assertIn("LOW-003", out)
        self.assertIn("a filtered run: no certificate", out)
        page = self.read("out", "report.html").decode()
        self.assertIn("LOW-003", page)
        self.assertIn("ninstr", page)
        self.assertTrue(self.verify()["consistent"])


class Replays(CertifyTest):
    """The command told with a failure, pasted into a fresh shell in the same directory."""

    def replayed(self, *way, case, **options):
        report = json.loads(self.run_tool("certify", *way, "--seed", "1", "--case", case, "--json", **options).out)
        failure = report["failures"][0]
        code, out = self.pasted(failure["replay"])
        self.assertEqual(code, 1, out)
        self.assertIn(failure["case"], out)
        self.assertIn("implementation=" + report["implementation"]["name"], out)
        return failure["replay"]

    def test_of_a_command_with_quotes_blanks_and_variables(self):
        os.mkdir(self.path("it's a $HOME"))
        shutil.copy(os.path.join(HERE, "wrong_ninstr.py"), self.path("it's a $HOME", "mine.py"))
        os.symlink(ROOT, self.path("root"))
        command = ("X=\"a  b\" PYTHONPATH='" + os.path.join(ADAPTERS, "python") + "' " + sys.executable +
                   " -B \"it's a \\$HOME/mine.py\"\ntrue \\\\ '$X'")
        with open(self.path("it's a $HOME", "mine.py"), encoding="utf-8") as stream:
            text = stream.read().replace("os.path.dirname(os.path.abspath(__file__)), \"..\", \"..\"", repr(ROOT))
        self.write("it's a $HOME/mine.py", text.encode())
        self.replayed("--exec", command, case="LOW-003/127-bytes")

    def test_of_a_generated_case(self):
        for i in range(20):
            if self.run_tool("certify", *WRONG, "--case", f"generated/5/{i}", "--seed", "1").code == 1:
                self.assertIn(" --case generated/5/", self.replayed(*WRONG, case=f"generated/5/{i}"))
                return
        self.fail("no generated case fails")

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_of_a_library_by_a_relative_path(self):
        with open(os.path.join(ADAPTERS, "c", "minimal.c"), encoding="utf-8") as stream:
            text = stream.read()
        self.write("mine.c", re.sub(r"void assay_impl_dtype\(.*?\) \{", lambda m: m[0] + " abort();", text,
                                    flags=re.DOTALL).replace("#include", "#include <stdlib.h>\n#include", 1).encode())
        subprocess.run(["cc", "-std=c11", "-shared", "-fPIC", "-I", os.path.join(ROOT, "conformance", "protocol"), "-o",
                        self.path("lib mine.so"), self.path("mine.c")], check=True, timeout=120)
        line = self.replayed("--lib", "lib mine.so", case="DT-013/1")
        self.assertIn(" --lib 'lib mine.so' ", line)

    def test_begins_as_the_tool_was_called(self):
        options = {"env": environment(ASSAY_COMMAND="./my assay")}
        report = json.loads(self.run_tool("certify", *WRONG, "--case", "LOW-003/127-bytes", "--json", **options).out)
        self.assertTrue(report["failures"][0]["replay"].startswith("'./my assay' certify --exec "))


class Told(CertifyTest):
    """What the terminal and --json say of a run, in this order."""

    def implementation(self, answer, ops=("dtype", "lower", "lower_neff", "decode")):
        hello = {"protocol": 1, "name": "told", "version": "0", "ops": list(ops)}
        self.write("told.py", (
            "import json, os, signal, sys\n"
            "for line in sys.stdin:\n"
            "    q = json.loads(line)\n"
            f"    a = {hello} if q['op'] == 'hello' else None\n"
            "    if a is None:\n"
            f"        {answer}\n"
            "    print(json.dumps({'id': q['id'], **a}), flush=True)\n").encode())
        return python(self.path("told.py"))

    def test_errors_first_and_counted_by_what_they_say(self):
        command = self.implementation("os.kill(os.getpid(), signal.SIGSEGV)", ["dtype"]) + "; exit $?"
        ran = self.run_tool("certify", "--exec", command, "--seed", "1", "-o", self.path("out"))
        self.assertRegex(ran.out_lines[0], r"^error \d+ x exit: code 139 \(SIGSEGV, as a shell tells it\): [A-Z]+-\d+/")
        self.assertRegex(ran.out_lines[1], r"^  .*assay certify --exec .* --case [A-Z]+-\d+/")
        self.assertRegex(ran.out_lines[2], r"out/failures/")
        cut = [line for line in ran.out_lines if line.startswith("not sent: ")]
        self.assertEqual(len(cut), 1)
        self.assertRegex(cut[0], r"^not sent: \d+ cases of dtype: ten errors in a row on dtype, "
                                 r"the first: exit: code 139 ")
        self.assertLess(len(ran.out_lines), 20)
        report = self.certify("--exec", command, code=1)
        self.assertEqual(report["errors"][0]["why"], "exit: code 139 (SIGSEGV, as a shell tells it)")
        self.assertEqual(sum(e["cases"] for e in report["errors"]), report["counts"]["error"])
        self.assertTrue(self.verify()["consistent"])

    def test_ops_that_are_none(self):
        command = self.implementation("a = {'status': 'unsupported'}", ["dtype", "lowr"])
        ran = self.run_tool("certify", "--exec", command, "--seed", "1", "-o", self.path("out"))
        self.assertIn('note: its hello lists "lowr", which is no op', ran.out_lines)
        self.assertEqual(self.certify("--exec", command, code=1)["implementation"]["unknown_ops"], ["lowr"])

    def test_what_decides_nothing(self):
        refuses_some = ("import zlib; body = json.dumps({k: q[k] for k in sorted(q) if k != 'id'}).encode(); "
                        "a = {'status': 'refused' if zlib.crc32(body) % 15 == 0 else 'unsupported'}")
        command = self.implementation(refuses_some, ["lower"])
        ran = self.run_tool("certify", "--exec", command, "--seed", "1", "-o", self.path("out"))
        self.assertRegex(ran.out, r"(?m)^reported, decides nothing: [A-Z]+-\d+ in \d+ cases?.*; see the report$")
        self.assertIn(b"## Reported, decides nothing", self.read("out", "certificate.md"))
        command = self.implementation("a = {'status': 'refused'}", ["lower"])
        ran = self.run_tool("certify", "--exec", command, "--seed", "1", "--requirement", "ACT-006")
        self.assertRegex(ran.out, r"(?m)^reported ACT-006/.* ACT-006 at answer: expected accepted, got refused "
                                  r"\(decides nothing\)$")
        reported = self.certify("--exec", command, "--requirement", "ACT-006", code=1)["reported"]
        self.assertEqual((reported[0]["requirement"], reported[0]["level"]), ("ACT-006", "should"))


class Filtered(CertifyTest):
    def test_writes_no_certificate_and_says_so(self):
        ran = self.ok("certify", *ORACLE, "--requirement", "UCL", "--seed", "1", "-o", self.path("out"))
        self.assertEqual(ran.out_lines[-1], "a filtered run: no certificate")
        self.assertFalse(os.path.exists(self.path("out")))
        report = self.certify(*ORACLE, "--case", "generated/5/3")
        self.assertEqual((report["filtered"], report["held"], report["certificate"]), (True, None, None))
        self.assertFalse(os.path.exists(self.path("out")))

    def test_takes_what_proves_a_case_along(self):
        rows = self.json("certify-list", "certify", "--list", "--seed", "1")["cases"]
        refusal = next(r["id"] for r in rows if r["expect"] == "refused" and not r["flags"])
        report = self.certify(*ORACLE, "--case", refusal)
        self.assertGreaterEqual(report["cases"], 2)
        self.assertEqual(report["counts"]["pass"], report["cases"])

    def test_lists(self):
        rows = self.json("certify-list", "certify", "--list", "--requirement", "LOW-003", "--seed", "1")["cases"]
        lines = self.ok("certify", "--list", "--requirement", "LOW-003").out_lines
        self.assertEqual([r["id"] for r in rows], [words(line)["case"] for line in lines])
        self.assertTrue(any("LOW-003" in r["requirements"] for r in rows))

    def test_what_there_is_not(self):
        self.failed("no case \"LOW-003/x\"", "certify", *ORACLE, "--case", "LOW-003/x", "--seed", "1")
        self.failed("no requirement \"LOX\"", "certify", *ORACLE, "--requirement", "LOX", "--seed", "1")
        self.failed("no case names IMG-002 .observable: none", "certify", *ORACLE, "--requirement", "IMG-002", "--seed",
                    "1")
        self.failed("no level \"Q\"", "certify", *ORACLE, "--levels", "D,Q", "--seed", "1")
        self.failed("--exec COMMAND or --lib FILE is required", "certify")
        self.failed("--exec belongs to --rerun-sample N", "certificate", "verify", "out", *ORACLE)
        self.failed("--timeout belongs to --rerun-sample N", "certificate", "verify", "out", "--timeout", "5")
        self.failed("--exec is not expected beside --list", "certify", *ORACLE, "--list")
        self.failed("exclude", "certify", *ORACLE, "--lib", "x.so")
        self.failed("a directory is expected", "certify", *ORACLE, "-o", "")
        self.failed("ASSAY_VECTORS", "certify", *ORACLE, "--seed", "1", env=environment(ASSAY_VECTORS="nowhere"))


class Directories(CertifyTest):
    def test_only_its_own_are_taken(self):
        self.write("full/thing", b"mine")
        self.failed("neither empty", "certify", *TEMPLATE, "--seed", "1", "-o", self.path("full"))
        self.assertEqual(self.tree("full"), {"thing": b"mine"})
        self.write("named/certificate.json", b'{"subject": "somebody"}')
        self.failed("no certificate of an earlier run", "certify", *TEMPLATE, "--seed", "1", "-o", self.path("named"))
        self.assertEqual(list(self.tree("named")), ["certificate.json"])
        self.certify(*TEMPLATE, code=1)
        self.write("out/failures/old/x", b"old")
        self.failed("there is .*failures/old", "certify", *TEMPLATE, "--seed", "1", "-o", self.path("out"))
        self.assertEqual(self.read("out", "failures", "old", "x"), b"old")
        shutil.rmtree(self.path("out", "failures"))
        self.certify(*TEMPLATE, code=1)

    def test_an_earlier_certificate_stays_until_there_is_another(self):
        self.certify(*TEMPLATE, code=1)
        earlier = self.tree("out")
        self.failed("hello", "certify", "--exec", "exit 3", "--seed", "1", "-o", self.path("out"))
        now = {name: bytes for name, bytes in self.tree("out").items() if name != "implementation.log"}
        self.assertEqual(now, {name: bytes for name, bytes in earlier.items() if name != "implementation.log"})

    def test_what_was_not_written_to_its_end_is_in_nobodys_way(self):
        def no_room():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 18, 1 << 18))  # of the certificate, not of a failure
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        self.failed("certify: .*certificate.*: File too large", "certify", *WRONG, "--seed", "1", "-o",
                    self.path("out"), preexec_fn=no_room)
        self.assertEqual(set(self.tree("out")) - {"implementation.log"}, set())
        self.certify(*TEMPLATE, code=1)

    def test_a_pipe_in_the_logs_place(self):
        mine = python(HERE, "log_becomes_a_pipe.py")
        self.failed("certify: ", "certify", "--exec", mine + " " + shlex.quote(self.path("out", "implementation.log")),
                    "--seed", "1", "--jobs", "1", "-o", self.path("out"))

    def test_waivers(self):
        self.write("w.json", {"waivers": [{"case": "LOW-003/none", "reason": "x", "until": "2999-01-01"}]})
        report = self.certify(*TEMPLATE, "--waivers", self.path("w.json"), code=1)
        self.assertTrue(any("LOW-003/none" in p for p in report["problems"]))
        self.write("bad.json", {"waivers": 1})
        self.failed("bad.json", "certify", *TEMPLATE, "--waivers", self.path("bad.json"), "--seed", "1")

    def test_a_waived_failure_is_told_as_one(self):
        self.write("w.json", {"waivers": [{"case": "ACT-001/default", "reason": "x", "until": "2999-01-01"}]})
        ran = self.run_tool("certify", *WRONG, "--waivers", self.path("w.json"), "--seed", "1", "-o", self.path("out"))
        told = [line.split()[:2] for line in ran.out_lines if " LOW-003 at " in line]
        self.assertIn(["waived", "failure"], told)
        self.assertGreater(len(told), 1)
        self.assertEqual([t for t in told if t[0] != "failure"], [["waived", "failure"]])
        self.assertRegex(ran.out, r"(?m)^waived failure ACT-001/default .* \(waived until 2999-01-01: x\)$")
        report = self.certify(*WRONG, "--waivers", self.path("w.json"), "--case", "ACT-001/default", code=1)
        waived = {f["case"]: f["waived"] for f in report["failures"] if f["waived"]}
        self.assertEqual(waived, {"ACT-001/default": {"until": "2999-01-01", "reason": "x"}})


class Forged(CertifyTest):
    def test_is_caught(self):
        self.certify(*TEMPLATE, "--generated", "5", code=1)
        path = self.path("out", "certificate.json")
        right = json.loads(self.read("out", "certificate.json"))
        forgeries = {
            "a verdict": lambda c: c["cases"][0].update(outcome="pass"),
            "a level": lambda c: c["levels"]["D"].update(held=True),
            "held": lambda c: c.update(held=True),
            "a case less": lambda c: c["cases"].pop(),
            "another hash": lambda c: c["suite"].update(hash="0" * 64),
            "another seed": lambda c: c.update(seed=c["seed"] + 1),
        }
        for what, forge in forgeries.items():
            with self.subTest(what):
                c = json.loads(json.dumps(right))
                forge(c)
                with open(path, "w", encoding="utf-8") as stream:
                    json.dump(c, stream)
                self.assertTrue(self.verify(1)["problems"])
        shutil.rmtree(self.path("out"))
        self.failed("certificate.json", "certificate", "verify", self.path("out"))


if __name__ == "__main__":
    unittest.main()
