# SPDX-License-Identifier: Apache-2.0
"""The vector files follow their schema, and their sources give them again, byte for byte.

ASSAY_BUILD_VECTORS names the generator; without it that part is skipped.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "cli" / "test"))

import schema  # noqa: E402

VECTORS = ROOT / "conformance" / "vectors"
SCHEMA = ROOT / "schemas" / "vectors.schema.json"


def files():
    return sorted(p for p in VECTORS.glob("*.json") if p.name != "withdrawn.json")


class Files(unittest.TestCase):
    def test_follow_their_schema(self):
        self.assertEqual(len(files()), 17)
        for path in files():
            with self.subTest(path.name):
                schema.check(json.loads(path.read_text("utf-8")), SCHEMA)

    def test_the_schema_refuses_what_is_none(self):
        good = json.loads((VECTORS / "CCM.json").read_text("utf-8"))
        for spoil in (lambda f: f.pop("area"), lambda f: f["cases"][0].update(note=1),
                      lambda f: f["cases"][0].update(op="lift"), lambda f: f["cases"][0].update(id="gap"),
                      lambda f: f["cases"][0]["expect"].update(status="unsupported"),
                      lambda f: f["cases"][0].update(flags=["skip"])):
            bad = json.loads(json.dumps(good))
            spoil(bad)
            with self.assertRaises(schema.Mismatch):
                schema.check(bad, SCHEMA)

    @unittest.skipUnless(os.environ.get("ASSAY_BUILD_VECTORS"), "no generator named")
    def test_their_sources_give_them_again(self):
        with tempfile.TemporaryDirectory() as out:
            done = subprocess.run(
                [os.environ["ASSAY_BUILD_VECTORS"], VECTORS / "sources", ROOT / "corpus" / "spec" / "requirements.json",
                 ROOT / "corpus" / "models", out],
                capture_output=True, text=True, timeout=500)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(sorted(os.listdir(out)), [p.name for p in files()])
            for path in files():
                self.assertEqual((pathlib.Path(out) / path.name).read_bytes(), path.read_bytes(), path.name)


if __name__ == "__main__":
    unittest.main()
