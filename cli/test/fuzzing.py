# SPDX-License-Identifier: Apache-2.0
"""What the tests of `assay fuzz` share: scripts in place of targets and engines."""

import json
import os
import shutil
import zipfile

import schema
from tool import ROOT, ToolTest, environment

HERE = os.path.dirname(os.path.abspath(__file__))


class FuzzTest(ToolTest):
    """A target "dtype" (any bytes are a case of it) that is a script."""

    def setUp(self):
        super().setUp()
        self.out = self.path("fuzzers", "fuzz-asan", "out")
        self.put_target("asan", "dtype")

    def put_target(self, form, name, script="fake_fuzzer.sh", options="timeout = 1\n"):
        directory = self.path("fuzzers", f"fuzz-{form}", "out")
        os.makedirs(directory, exist_ok=True)
        program = os.path.join(directory, name)
        shutil.copy(os.path.join(HERE, script), program)
        os.chmod(program, 0o755)
        self.write(f"fuzzers/fuzz-{form}/out/{name}.options",
                   f"[libfuzzer]\nmax_len = 256\n{options}".encode())
        self.write(f"fuzzers/fuzz-{form}/out/{name}.dict", b'"word"\n')
        with zipfile.ZipFile(program + "_seed_corpus.zip", "w") as seeds:
            for i in range(3):
                seeds.writestr(f"./seed-{i}", f"seed {i}")

    def env(self, fake, **more):
        return environment(FAKE=fake, ASSAY_FUZZERS=self.path("fuzzers"), FAKE_LOG=self.path("log"),
                           FAKE_COUNT=self.path("count"), **more)

    def fuzz(self, fake, *args, code, target="dtype"):
        """A run with --json: the object, and what was said on standard error."""
        ran = self.run_tool("fuzz", target, *args, "--json", env=self.env(fake))
        self.assertEqual(ran.code, code, ran.err + ran.out)
        value = json.loads(ran.out)
        schema.check(value, os.path.join(ROOT, "schemas", "fuzz.schema.json"))
        self.assertEqual(value["findings"], len(value["found"]))
        for found in value["found"]:
            with open(os.path.join(found["directory"], "finding.json"), encoding="utf-8") as stream:
                kept = json.load(stream)
            schema.check(kept, os.path.join(ROOT, "schemas", "finding.schema.json"))
            # What an earlier run kept counts that run's own.
            more = {"directory": found["directory"], "known": found["known"]}
            self.assertEqual({**kept, **more, **({"times": found["times"]} if found["known"] else {})}, found)
        self.assertEqual(self.tree("assay-fuzz", "dtype", "artifacts"), self.left_over(value))
        return value, ran.err

    @staticmethod
    def left_over(value):
        return {"slow-unit-0123456789abcdef": b"slow"} if value["slow_units"] else {}

    def lines(self, name):
        with open(self.path(name), encoding="utf-8") as stream:
            return stream.read().splitlines()
