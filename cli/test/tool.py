# SPDX-License-Identifier: Apache-2.0
"""What the tests of the tool share: running it as a user would, sample models, schemas."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import zlib

import schema

ROOT = os.environ.get("ASSAY_ROOT") or os.path.join(os.path.dirname(__file__), "..", "..")
ROOT = os.path.abspath(ROOT)
TOOL = os.environ.get("ASSAY_BIN") or os.path.join(ROOT, "build", "release", "cli", "assay")
MODELS = os.path.join(ROOT, "corpus", "models")
MATMUL = os.path.join(MODELS, "matmul_small", "matmul_small.neff")
ALLREDUCE = os.path.join(MODELS, "allreduce32")
ALLREDUCE_IMAGES = {"sunda": (15896, "e076bdb4"), "cayman": (15896, "47de460b"),
                    "mariana": (15976, "01adc2bf")}

SANITIZER = re.compile(rb"AddressSanitizer|LeakSanitizer|runtime error:|terminate called")


def environment(**more):
    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
    # A sanitizer's death must not pass for a refusal.
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
        env[name] = env.get(name, "") + ":exitcode=99"
    env.setdefault("ASSAY_VECTORS", os.path.join(ROOT, "conformance", "vectors"))
    return {**env, **more}


class Ran:
    """What a run left: exit code, standard output and error (text, and lines of either)."""

    def __init__(self, done):
        self.code, self.stdout, self.stderr = done.returncode, done.stdout, done.stderr
        self.out = (done.stdout or b"").decode("utf-8")
        self.err = (done.stderr or b"").decode("utf-8")
        self.out_lines, self.err_lines = self.out.splitlines(), self.err.splitlines()


class ToolTest(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="assay-test-")
        self.addCleanup(shutil.rmtree, self.dir, True)

    def path(self, *parts):
        return os.path.join(self.dir, *parts)

    def run_tool(self, *args, **options):
        options.setdefault("cwd", self.dir)
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        options.setdefault("env", environment())
        options.setdefault("timeout", 120)
        ran = Ran(subprocess.run([TOOL, *args], check=False, **options))
        self.assertIsNone(SANITIZER.search(ran.stderr or b""), ran.stderr)
        self.assertIn(ran.code, (0, 1, 2, 3), ran.stderr)
        return ran

    def ok(self, *args, **options):
        ran = self.run_tool(*args, **options)
        self.assertEqual((ran.code, ran.err), (0, ""))
        return ran

    def json(self, schema_name, *args, code=0):
        """Runs with --json; the object, held to its schema."""
        ran = self.run_tool(*args, "--json")
        self.assertEqual(ran.code, code, ran.err)
        self.assertEqual(ran.out.count("\n"), 1 if schema_name != "dump" else ran.out.count("\n"))
        value = json.loads(ran.out)
        schema.check(value, os.path.join(ROOT, "schemas", schema_name + ".schema.json"))
        return value

    def refused(self, requirement, *args, code=1):
        """Refused: one line on standard error, nothing on the other; and as an object."""
        ran = self.run_tool(*args)
        self.assertEqual((ran.code, ran.out, len(ran.err_lines)), (code, "", 1), ran.err)
        word = "unspecified" if code == 3 else "refused"
        self.assertRegex(ran.err, rf"^{word}: .+ at .+ \({re.escape(requirement)}\)\n$")
        value = self.json("refused", *args, code=code)["refused"]
        self.assertEqual(value["requirement"], requirement)
        self.assertEqual(value["text"], ran.err_lines[0])
        return value

    def failed(self, pattern, *args, **options):
        """A usage or I/O error: exit code 2, told on standard error alone."""
        ran = self.run_tool(*args, **options)
        self.assertEqual((ran.code, ran.out), (2, ""), ran.err)
        self.assertRegex(ran.err, "^assay: ")
        self.assertRegex(ran.err, pattern)
        return ran

    def tree(self, *parts):
        """Every path below a folder, files with their bytes, folders as None."""
        top, found = self.path(*parts), {}
        for folder, folders, names in os.walk(top):
            for name in folders:
                found[os.path.relpath(os.path.join(folder, name), top)] = None
            for name in names:
                full = os.path.join(folder, name)
                with open(full, "rb") as stream:
                    found[os.path.relpath(full, top)] = stream.read()
        return found

    def write(self, name, data):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as stream:
            stream.write(data if isinstance(data, bytes) else json.dumps(data).encode())
        return path

    def model(self, name="model", graphs=("sg00",), change=None):
        """A directory with the all-reduce model's graph under each of these names. `change`
        edits the files of a folder: change(index, {file: JSON value})."""
        source = os.path.join(ALLREDUCE, "sg00")
        shutil.copytree(ALLREDUCE, self.path(name))
        shutil.rmtree(self.path(name, "sg00"))
        kelf = {"version": "0.5", "target": "cayman", "graphs": []}
        for i, graph in enumerate(graphs):
            kelf["graphs"].append({"name": graph, "definition": f"{i}/def.json"})
            shutil.copytree(source, self.path(name, str(i)))
            values = {}
            for file in ("def", "pool", "pe"):
                with open(os.path.join(source, file + ".json"), encoding="utf-8") as stream:
                    values[file] = json.load(stream)
            if change:
                change(i, values)
            for file, value in values.items():
                self.write(f"{name}/{i}/{file}.json", value)
        self.write(f"{name}/kelf-a.json", kelf)
        return self.path(name)


def words(line):
    """The key=value words of a line."""
    return dict(word.split("=", 1) for word in line.split())


def image_crc(image):
    return f"{zlib.crc32(image[80:]):08x}"


def repaired(image):
    """An edited image with its checksum made right."""
    return image[:64] + zlib.crc32(image[80:]).to_bytes(4, "little") + image[68:]
