# SPDX-License-Identifier: Apache-2.0
"""The tool as a process: help, versions, streams, terminals, exit codes; and `explain`."""

import json
import os
import pty
import re
import resource
import select
import shutil
import subprocess
import threading
import time
import unittest

import tool
from tool import ALLREDUCE, MATMUL, ROOT, TOOL, ToolTest, environment

COMMANDS = (["lower"], ["dump"], ["check"], ["diff"], ["explain"], ["neff"], ["neff", "ls"],
            ["neff", "header"], ["neff", "unpack"], ["neff", "pack"], ["prove"], ["gen"],
            ["replay"], ["reduce"], ["fuzz"], ["certify"], ["certificate"], ["certificate", "verify"], ["serve"],
            ["selftest"])
OPTION = re.compile(r"(?<![\w-])--[a-z0-9][a-z0-9-]+")


class Help(ToolTest):
    def test_version(self):
        self.assertEqual(self.ok("--version").out, "assay 0.1.0\n")

    def test_every_command_has_help_with_an_example(self):
        for command in ([], *COMMANDS):
            ran = self.ok(*command, "--help")
            self.assertRegex(ran.out, r"Example:\n  assay " + " ".join(command), command)
            self.assertEqual(ran.out, self.ok(*command, "-h").out)
            if command not in ([], ["neff"], ["certificate"]):
                # An example that is the command's own shows what it has.
                about, examples = ran.out.split("Example:\n")
                self.assertLessEqual(set(OPTION.findall(examples)), set(OPTION.findall(about)), command)
                self.assertEqual("--json" in about, command != ["serve"])
                if command not in (["prove"], ["serve"], ["selftest"]):  # they do without any argument
                    self.failed("required|expected", *command)
        self.assertIn("Exit codes: 0", self.ok("--help").out)

    def test_help_is_a_command(self):
        self.assertEqual(self.ok("help").out, self.ok("--help").out)
        for words in (["lower"], ["certify"], ["neff"], ["certificate", "verify"], ["help"]):
            self.assertEqual(self.ok("help", *words).out, self.ok(*words, "--help").out)
        self.failed('no command "lowr".* --help', "help", "lowr")
        self.failed('no command "lowr"', "lowr", "--help")

    def test_usage_errors(self):
        self.failed("subcommand is required", "--")
        self.failed("subcommand is required")
        self.failed("see assay --help", "frobnicate")
        self.failed("see assay neff --help", "neff")
        self.failed(r"--bad\\x0aline.*see assay check --help", "check", "x", "--bad\nline")


class Explain(ToolTest):
    def catalogue(self):
        path = os.path.join(ROOT, "corpus", "spec", "requirements.json")
        with open(path, encoding="utf-8") as stream:
            return json.load(stream)["requirements"]

    def test_requirements(self):
        areas = {}
        for row in self.catalogue():
            areas.setdefault(row["area"], row)
        for row in areas.values():
            value = self.json("explain", "explain", row["id"])
            for key in ("id", "area", "level", "evidence", "statement", "observable"):
                self.assertEqual(value[key], row[key] or "none")
            ran = self.ok("explain", row["id"].lower())
            self.assertEqual(ran.out_lines[0], f"{row['id']} ({row['area']}): {row['level']}")
            self.assertEqual(ran.out_lines[1], row["statement"])

    def test_tests_that_cite_it(self):
        # Whatever is listed is where the list says, whatever tests there are.
        listed = 0
        for requirement in ("IMG-013", "CON-014", "DMB-019", "VAR-004", "LOW-010"):
            for row in self.json("explain", "explain", requirement)["tests"]:
                with open(os.path.join(ROOT, row["file"]), encoding="utf-8") as stream:
                    lines = stream.read().split("\n")
                body = "\n".join(lines[row["line"] - 1:row["line"] + 9])
                suite, test = row["test"].split(".")
                self.assertRegex(body, rf"TEST\w*\(\s*{suite},\s*{test}\)")
                self.assertIn(f'"{requirement}"', body)
                listed += 1
        self.assertGreater(listed, 0)

    def test_reasons_and_bounds(self):
        ran = self.ok("explain", "target-open")
        self.assertRegex(ran.out_lines[0], r"^CON-024 ")
        self.assertIn("target-open", ran.out)
        value = self.json("explain", "explain", "limit:members")
        self.assertEqual([r["status"] for r in value["reasons"]], ["NRT_RESOURCE"])
        self.assertNotIn("statement", value)

    def test_unknown(self):
        self.failed("IMG-999", "explain", "IMG-999")
        self.failed("explain", "explain", "")


class Streams(ToolTest):
    def test_closed_output(self):
        def close_output():
            os.close(1)
        for args in (["--version"], ["lower", MATMUL], ["lower", MATMUL, "--json"]):
            ran = self.run_tool(*args, stdout=None, preexec_fn=close_output)
            self.assertEqual((ran.code, len(ran.err_lines)), (2, 1))
            self.assertRegex(ran.err, "^assay: standard output: Bad file descriptor")

    def test_closed_output_is_no_file_of_ours(self):
        # With descriptor 1 free the first file opened would be taken for standard output.
        ran = self.run_tool("lower", MATMUL, "-o", "out", stdout=None,
                            preexec_fn=lambda: (os.close(0), os.close(1)))
        self.assertEqual(ran.code, 2)
        for name, data in self.tree("out").items():
            self.assertEqual(len(data), 100104, name)

    def test_closed_error(self):
        ran = self.run_tool("lower", ALLREDUCE, stderr=None, preexec_fn=lambda: os.close(2))
        self.assertEqual((ran.code, ran.out), (1, ""))

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            ran = self.run_tool("lower", MATMUL, stdout=full)
        self.assertEqual(ran.code, 2)
        self.assertRegex(ran.err, "^assay: standard output: No space left on device\n$")

    def test_broken_pipe(self):
        read, write = os.pipe()
        os.close(read)
        ran = self.run_tool("lower", MATMUL, stdout=write)
        os.close(write)
        self.assertEqual(ran.code, 2)
        self.assertRegex(ran.err, "^assay: standard output: Broken pipe\n$")

    def test_file_size_limit(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000))
        ran = self.run_tool("lower", MATMUL, "-o", "new/out", preexec_fn=limit)
        self.assertEqual((ran.code, ran.out), (2, ""))
        self.assertRegex(ran.err, r"^assay: new/out/sg00\.kbin: File too large\n$")
        self.assertFalse(os.path.exists(self.path("new")))

    def test_memory_that_runs_out(self):
        with open(TOOL, "rb") as stream:
            if b"__asan_init" in stream.read():
                self.skipTest("an address sanitizer's own memory is past any bound")
        with open(self.path("large"), "wb") as stream:
            stream.truncate(1 << 30)
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))
        for command in (["lower"], ["check"], ["neff", "ls"]):
            ran = self.run_tool(*command, "large", preexec_fn=limit)
            self.assertEqual((ran.code, ran.out), (1, ""))
            self.assertEqual(ran.err, "refused: memory ran out at the input (limit:memory)\n")
            value = json.loads(self.run_tool(*command, "large", "--json", preexec_fn=limit).out)
            self.assertEqual(value["refused"]["reason"], "out-of-memory")

    def test_refusals_of_names_stay_one_line(self):
        def rename(_, files):
            files["def"]["var"]["evil\n\x1b[2J\u009b"] = {"type": "gone", "var_id": 9}
        value = self.refused("VAR-003", "lower", self.model(change=rename))
        self.assertEqual(value["pointer"], "/var/evil\n\x1b[2J\u009b/type")

    # `text` holds what the line on standard error shows escaped.
    def refused(self, requirement, *args, code=1):
        ran = self.run_tool(*args)
        self.assertEqual((ran.code, ran.out, ran.err.count("\n")), (code, "", 1))
        self.assertIn("/var/evil\\x0a\\x1b[2J\\xc2\\x9b/type", ran.err)
        self.assertFalse(set(ran.err[:-1]) & {chr(c) for c in (*range(32), *range(127, 160))})
        return self.json("refused", *args, code=code)["refused"]


class Terminal(ToolTest):
    def on_terminal(self, *args, feed=None, **env):
        """Runs with both outputs on a terminal; what appeared there and the exit code."""
        master, slave = pty.openpty()
        process = subprocess.Popen([TOOL, *args], stdin=subprocess.DEVNULL, stdout=slave,
                                   stderr=slave, cwd=self.dir, env=environment(**env))
        os.close(slave)
        if feed:
            feeder = threading.Thread(target=feed)
            feeder.start()
        shown, end = b"", time.monotonic() + 60
        while time.monotonic() < end:
            if select.select([master], [], [], 0.2)[0]:
                try:
                    data = os.read(master, 65536)
                except OSError:  # the other end is closed
                    break
                shown += data
        code = process.wait(timeout=60)
        os.close(master)
        if feed:
            feeder.join()
        return shown.decode().replace("\r\n", "\n"), code

    def test_colour(self):
        shown, code = self.on_terminal("lower", ALLREDUCE, TERM="xterm")
        self.assertEqual(code, 1)
        self.assertRegex(shown, "^\x1b\\[31mrefused:\x1b\\[0m target is ")
        for env in ({"TERM": "dumb"}, {"TERM": "xterm", "NO_COLOR": "1"}, {}):
            shown, _ = self.on_terminal("lower", ALLREDUCE, **env)
            self.assertRegex(shown, "^refused: target is ")
        shown, _ = self.on_terminal("lower", ALLREDUCE, TERM="xterm", NO_COLOR="")
        self.assertIn("\x1b[31m", shown)

    def slow_model(self):
        """A pipe that gives a model after two seconds, and what feeds it."""
        os.mkfifo(self.path("slow"))

        def feed():
            with open(MATMUL, "rb") as model, open(self.path("slow"), "wb") as pipe:
                time.sleep(2.2)
                pipe.write(model.read())
        return feed

    def test_progress_of_a_long_job(self):
        shown, code = self.on_terminal("lower", "slow", feed=self.slow_model(), TERM="xterm")
        self.assertEqual(code, 0)
        self.assertIn("\r\x1b[Kreading slow [1 s]", shown)
        # The line is cleared before the result is shown.
        self.assertRegex(shown, "\r\x1b\\[Kname=sg00 ")

    def test_no_progress_in_a_pipe(self):
        feeder = threading.Thread(target=self.slow_model())
        feeder.start()
        ran = self.ok("lower", "slow", env=environment(TERM="xterm"))
        feeder.join()
        self.assertEqual(len(ran.out_lines), 2)

    def test_no_progress_of_a_short_job(self):
        shown, _ = self.on_terminal("lower", MATMUL, TERM="xterm")
        self.assertRegex(shown, "^name=sg00 ")
        self.assertNotIn("\x1b", shown)


class BuildLock(ToolTest):
    def test_is_let_go_of_at_once(self):
        ours, its = os.pipe()
        with subprocess.Popen([TOOL, "serve"], pass_fds=[its], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              env=environment(ASSAY_BUILD_LOCK=str(its))) as tool:
            os.close(its)
            ends = select.select([ours], [], [], 20)[0]  # while the tool goes on
            os.close(ours)
            tool.stdin.write(b'{"id":0,"op":"hello","protocol":1,"suite":"1.0"}\n')
            tool.stdin.flush()
            self.assertIn(b'"oracle"', tool.stdout.readline())
            tool.stdin.close()
        self.assertTrue(ends)

    def test_the_script_waits_for_a_binary_that_is_being_linked(self):
        """The script at the root, with a build that does nothing, while someone writes the binary."""
        os.makedirs(self.path("top", "cmake"))
        os.makedirs(self.path("top", "build", "release", "cli"))
        shutil.copy(os.path.join(ROOT, "assay"), self.path("top", "assay"))
        shutil.copy(os.path.join(ROOT, "cmake", "common.sh"), self.path("top", "cmake"))
        self.write("top/cmake/packages.txt", b"tool coreutils\n")
        self.write("top/build/release/.configured", os.fsencode(os.path.realpath(self.path("top"))) + b" \n")
        for name in ("cmake", "ninja"):
            os.chmod(self.write("bin/" + name, b"#!/bin/sh\n"), 0o755)
        binary = self.path("top", "build", "release", "cli", "assay")
        os.chmod(self.write("top/build/release/cli/assay", b'#!/bin/sh\nprintf "<%s>" "$@"\n'), 0o755)
        env = environment(PATH=self.path("bin") + ":" + os.environ["PATH"])
        with open(binary, "r+b"):
            script = subprocess.Popen([self.path("top", "assay"), "a  b", "c"], env=env, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL)
            self.addCleanup(script.kill)
            with self.assertRaises(subprocess.TimeoutExpired):
                script.wait(timeout=3)
        self.assertEqual(script.communicate(timeout=60)[0], b"<a  b><c>")
        self.assertEqual(script.returncode, 0)


class HandedOver(ToolTest):
    def test_schemas_are_valid_json(self):
        names = os.listdir(os.path.join(ROOT, "schemas"))
        self.assertGreater(len(names), 8)
        for name in names:
            with open(os.path.join(ROOT, "schemas", name), encoding="utf-8") as stream:
                self.assertIn("json-schema.org", json.load(stream)["$schema"])

    def test_the_checker_of_schemas_sees(self):
        good = self.json("explain", "explain", "IMG-001")
        path = os.path.join(ROOT, "schemas", "explain.schema.json")
        for change in ({"level": "often"}, {"more": 1}, {"reasons": [{"id": "x"}]}, {"id": 3}):
            with self.assertRaises(tool.schema.Mismatch, msg=change):
                tool.schema.check({**good, **change}, path)
        tool.schema.check(good, path)


if __name__ == "__main__":
    unittest.main()
