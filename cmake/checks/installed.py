# SPDX-License-Identifier: Apache-2.0
"""Installs the tool below a temporary folder and runs it there, knowing nothing of the source tree;
holds man page and completions to what --help says.

usage: installed.py ROOT BUILD-TREE CMAKE
"""
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT, TREE, CMAKE = (os.path.abspath(a) if os.sep in a else a for a in sys.argv[1:4])
COMMANDS = ["lower", "dump", "check", "diff", "neff ls", "neff header", "neff unpack", "neff pack",
            "explain", "prove", "gen", "replay", "reduce", "fuzz", "certify", "certificate verify", "serve",
            "selftest", "help"]
SPEAKS_NO_JSON = {"serve", "help"}  # serve: but the protocol's
# JSON forms that are no command's name.
FORMS = ["refused", "prove-list", "prove-mutants", "gen-list", "fuzz-list", "fuzz-replay", "finding", "case",
         "expected", "index", "input", "members", "vectors", "waivers", "certificate", "certify-list",
         "selftest-trace"]
OPTION = re.compile(r"(?<![\w-])--([a-z0-9][a-z0-9-]+)")


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="assay-installed-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        cls.prefix = os.path.join(cls.folder, "prefix with space")
        subprocess.run([CMAKE, "--install", TREE, "--prefix", cls.prefix], check=True,
                       stdout=subprocess.DEVNULL)
        cls.home = os.path.join(cls.folder, "home")
        os.makedirs(cls.home)
        models = os.path.join(ROOT, "corpus", "models")
        shutil.copy(os.path.join(models, "matmul_small", "matmul_small.neff"),
                    os.path.join(cls.home, "model.neff"))

    def share(self, *parts):
        return os.path.join(self.prefix, "share", *parts)

    def run_tool(self, *arguments, code=0):
        run = subprocess.run([os.path.join(self.prefix, "bin", "assay"), *arguments],
                             cwd=self.home, env={"PATH": "/usr/bin:/bin"}, capture_output=True,
                             text=True, check=False, timeout=120)
        self.assertEqual(run.returncode, code, run.stderr)
        return run.stdout

    def options(self):
        """command -> the long options its help names."""
        return {c: set(OPTION.findall(self.run_tool(*c.split(), "--help"))) for c in COMMANDS}

    def test_everything_is_in_place(self):
        for path in (("man", "man1", "assay.1"), ("bash-completion", "completions", "assay"),
                     ("zsh", "site-functions", "_assay"),
                     ("fish", "vendor_completions.d", "assay.fish"), ("doc", "assay", "LICENSE"),
                     ("assay", "requirements.json"), ("assay", "layout.json"),
                     ("assay", "enums.json")):
            self.assertTrue(os.path.isfile(self.share(*path)), path)
        self.assertTrue(os.path.isfile(os.path.join(self.prefix, "include", "assay_impl.h")))
        self.assertEqual(sorted(os.listdir(self.share("assay", "vectors"))),
                         sorted(os.path.basename(p) for p in glob.glob(os.path.join(ROOT, "conformance", "vectors", "*.json"))))
        names = {os.path.basename(p) for p in glob.glob(self.share("assay", "schemas", "*"))}
        wanted = {c.replace(" ", "-") + ".schema.json" for c in [*COMMANDS, *FORMS] if c not in SPEAKS_NO_JSON}
        self.assertEqual(names, wanted)

    def test_runs_from_elsewhere(self):
        self.assertRegex(self.run_tool("--version"), r"^assay \d+\.\d+\.\d+\n$")
        report = json.loads(self.run_tool("lower", "model.neff", "-o", "out", "--json"))
        self.assertEqual([g["crc32"] for g in report["graphs"]], ["51cad75c", "95922ed8"])
        self.assertEqual(sorted(os.listdir(os.path.join(self.home, "out"))),
                         ["sg00.kbin", "sg01.kbin"])
        self.run_tool("check", "out/sg00.kbin", "out/sg01.kbin")
        self.run_tool("diff", "out/sg00.kbin", "out/sg00.kbin")
        self.run_tool("diff", "out/sg00.kbin", "out/sg01.kbin", code=1)
        self.assertIn("VAR-004", self.run_tool("explain", "VAR-004"))
        self.run_tool("neff", "unpack", "model.neff", "-o", "members")
        self.run_tool("lower", "members")
        self.run_tool("certify", "--exec", shlex.quote(os.path.join(self.prefix, "bin", "assay")) + " serve",
                      "--requirement", "UCL")
        self.assertIn(" without_case=0 without_mutant=0\n", self.run_tool("selftest", "--trace"))

    def test_knows_no_source_tree(self):
        with open(os.path.join(self.prefix, "bin", "assay"), "rb") as stream:
            self.assertNotIn(os.fsencode(ROOT), stream.read())

    def test_man_page_names_every_option(self):
        man = read(self.share("man", "man1", "assay.1")).replace("\\-", "-")
        man = re.sub(r"\\f[BIR]", "", man)
        wanted = set().union(*self.options().values()) | {"version"}
        self.assertEqual(set(OPTION.findall(man)), wanted)
        for command in COMMANDS:
            self.assertRegex(man, r"(?m)^(\.|assay ).*\b" + command.split()[-1])

    def test_completions_name_every_option(self):
        options = self.options()
        wanted = set().union(*options.values()) | {"version"}
        zsh, fish = (read(self.share(*p)) for p in (
            ("zsh", "site-functions", "_assay"), ("fish", "vendor_completions.d", "assay.fish")))
        self.assertEqual(set(OPTION.findall(zsh)), wanted)
        self.assertEqual(set(re.findall(r" -l ([a-z0-9-]+)", fish)), wanted)

    def test_bash_completes(self):
        script = self.share("bash-completion", "completions", "assay")
        for command, options in self.options().items():
            words = ["assay", *command.split(), "--"]
            run = subprocess.run(
                ["bash", "-c", 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _assay; '
                 'printf "%s\\n" "${COMPREPLY[@]}"', script, *words],
                capture_output=True, text=True, check=True)
            self.assertEqual(run.stderr, "")
            self.assertEqual({o[2:] for o in run.stdout.split()}, options, command)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
