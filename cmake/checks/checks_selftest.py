# SPDX-License-Identifier: Apache-2.0
"""The checks themselves: each passes a small sound project and fails it with one fault."""
import contextlib
import importlib
import io
import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
CATALOGUE = '{"requirements": [{"id": "DT-001", "level": "must"}, {"id": "DT-002", "level": "info"}]}'
COVERS = "TEST(A, B) {\n  ASSAY_COVERS(\n      %s);\n}\n"
SOUND = {
    "oracle/base/b.h": SPDX,
    "oracle/image/image.h": SPDX + '#include "oracle/base/b.h"\n',
    "oracle/image/encode.cpp": SPDX + '#include "oracle/image/image.h"\n',
    "oracle/image/decode.cpp": SPDX + '#include "oracle/image/image.h"\n',
    "oracle/records/kinds.def": SPDX + 'KIND(1, kbin, kbin_t, 424, false, "kbin_t")\n',
    "doc/image-format.md": "| kind | record | count |\n|---|---|---|\n| 1 | kbin_t | 1 |\n\n",
    "oracle/test/help.h": SPDX + "#include <gtest/gtest.h>\n",
    "oracle/test/a_test.cpp": SPDX + '#include "oracle/test/help.h"\n' + COVERS % '"DT-001"',
    "harness/h.h": SPDX,
    "corpus/spec/requirements.json": CATALOGUE,
    "corpus/spec/layout.json": "{}",
    "corpus/spec/enums.json": "{}",
    "corpus/models/matmul_small/m.neff": "neff",
    "corpus/models/allreduce32/neff.json": "{}",
}
SHARED = {
    "spec/requirements.json": CATALOGUE,
    "spec/layout.json": "{}",
    "spec/enums.json": "{}",
    "spec/image.md": "| kind | record | kind | record |\n|---|---|---|---|\n| 1 | kbin_t | | |\n\n",
    "data/neff/m.neff": "neff",
    "data/allreduce32/neff.json": "{}",
}


def write(root, tree):
    for path, content in tree.items():
        path = os.path.join(root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(content)


class Checks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def run_check(self, check, fault):
        root, shared = os.path.join(self.folder, "main"), os.path.join(self.folder, "shared")
        for folder in (root, shared):
            shutil.rmtree(folder, ignore_errors=True)
        write(root, {**SOUND, **fault})
        write(shared, SHARED)
        return self.outcome(check, root, *([shared] if check == "shared_copies" else []))

    def outcome(self, check, *arguments):
        """Exit code and output of a check."""
        out = io.StringIO()
        with self.assertRaises(SystemExit) as ended, contextlib.redirect_stdout(out):
            importlib.import_module(check).main(*arguments)
        return ended.exception.code, out.getvalue()

    def fails(self, check, fault, message):
        code, out = self.run_check(check, {})
        self.assertEqual(code, 0, out)
        code, out = self.run_check(check, fault)
        self.assertEqual(code, 1, out)
        self.assertIn(message, out)

    def include(self, path, *targets):
        return {path: SPDX + "".join(f"#include {t}\n" for t in targets)}

    def test_arrow_up(self):
        self.fails("arrows", self.include("oracle/base/b.h", '"harness/h.h"'), "no arrow")

    def test_arrow_between_rooms_of_the_oracle(self):
        self.fails("arrows", self.include("oracle/base/b.h", '"oracle/image/image.h"'), "no arrow")

    def test_arrow_to_a_test(self):
        self.fails("arrows", self.include("oracle/base/b.h", '"oracle/test/help.h"'), "no arrow")

    def test_arrow_between_encode_and_decode(self):
        self.fails("arrows", {"oracle/image/encode.h": SPDX, **self.include(
            "oracle/image/decode.cpp", '"oracle/image/encode.h"')}, "share no code")
        self.fails("arrows", {"oracle/image/plan.h": SPDX, **self.include(
            "oracle/image/encode.cpp", '"oracle/image/plan.h"')}, "share no code")

    def test_relative_include(self):
        self.fails("arrows", self.include("oracle/base/b.h", '"c.h"'), "no path")

    def test_library_of_another_room(self):
        self.fails("arrows", self.include("oracle/base/b.h", "<gtest/gtest.h>"), "alone")

    def test_file_outside_the_house(self):
        self.fails("arrows", {"attic/a.h": SPDX}, "in no room")

    def test_must_without_a_test(self):
        for covers in (COVERS % '"DT-002"', "// " + COVERS % '"DT-001"' + COVERS % '"DT-002"',
                       (COVERS % '"DT-001"').replace("(A, B", "(A, DISABLED_B")):
            self.fails("traceability", {"oracle/test/a_test.cpp": SPDX + covers},
                       "DT-001: a must that no test cites")

    def test_citation_of_nothing(self):
        self.fails("traceability",
                   {"oracle/test/a_test.cpp": SPDX + COVERS % '"DT-001",\n      "DT-999"'},
                   "DT-999")

    def test_long_file(self):
        self.fails("tidiness", {"oracle/base/c.h": SPDX + "\n" * 399}, "400 lines")
        self.assertEqual(self.run_check("tidiness", {"oracle/base/c.h": SPDX + "\n" * 398})[0], 0)

    def test_no_licence_line(self):
        self.fails("tidiness", {"oracle/base/c.h": "#pragma once\n"}, "SPDX")

    def test_machine_path(self):
        tree, home = os.path.realpath(os.path.join(self.folder, "main")), os.path.expanduser("~")
        for path in (f"{tree}/x", f"{os.path.dirname(tree)}/x", f"{home}/x", "/" + "home/joe/x"):
            self.fails("tidiness", {"README.md": f"see {path}\n"}, "path of one machine")

    def test_copies(self):
        for fault in ({"corpus/spec/enums.json": "{ }"}, {"corpus/models/matmul_small/m.neff": "nefg"},
                      {"corpus/models/allreduce32/neff.json": ""}):
            self.fails("shared_copies", fault, "differs")

    def test_table_of_kinds(self):
        self.fails("shared_copies", {"oracle/records/kinds.def": SPDX + (
            'KIND(1, kbin, kbin_t, 424, false, "kbin_x")\n')}, "kinds.def")
        self.fails("shared_copies", {"oracle/records/kinds.def": SPDX}, "kinds.def")
        self.fails("shared_copies", {"doc/image-format.md": "| kind | record |\n"}, "image-format")

    def test_no_originals_is_not_a_pass(self):
        code, _ = self.outcome("shared_copies", self.folder, os.path.join(self.folder, "none"))
        self.assertEqual(code, 77)

    def test_nothing_to_check_is_a_failure(self):
        empty = os.path.join(self.folder, "empty")
        os.makedirs(empty)
        for check in ("arrows", "tidiness"):
            self.assertEqual(self.outcome(check, empty)[0], 1)


if __name__ == "__main__":
    unittest.main()
