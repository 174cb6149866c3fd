# SPDX-License-Identifier: Apache-2.0
"""House rules that a grep can see: short files, a licence line, no path of one machine.

usage: tidiness.py ROOT
"""
import os
import re
import sys

from sources import files, report, text

LINES = 400
CODE = (".h", ".cpp", ".def", ".py", ".toml", ".cmake", ".sh", "CMakeLists.txt")
PROSE = (".md", ".json", ".yml", ".txt", ".1", ".bash", ".fish", ".inc")
# Places of this tree or of its user that no file may name; those that every machine has say nothing.
COMMON = ("/", "/tmp", "/var/tmp", "/usr/src", "/opt", "/srv", "/mnt")


def machine_paths(root):
    tree = os.path.realpath(root)
    home = os.path.realpath(os.path.expanduser("~"))
    places = {p for p in (tree, os.path.dirname(tree), home) if p not in COMMON}
    named = "|".join(re.escape(p) for p in sorted(places))
    return re.compile(rf"(?<![\w.$}}])(?:{named}|/(?:home|Users)/\w+)/")


def main(root):
    findings, checked = [], 0
    machine = machine_paths(root)
    for path in files(root):
        # The scripts have no suffix; where they lie, other names have one.
        script = path in ("assay", "test", ".ci/run") or (path.startswith("fuzzers/") and "." not in os.path.basename(path))
        if path.startswith("corpus/") or not (script or path.endswith(CODE + PROSE)):
            continue
        checked += 1
        content = text(root, path)
        lines = content.split("\n")
        if script or path.endswith(CODE):
            if len(lines) > LINES:
                findings.append(f"{path}: {len(lines) - 1} lines, at most {LINES - 1} wanted")
            if not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:3]):
                findings.append(f"{path}: no SPDX line at its top")
        for number, line in enumerate(lines, 1):
            if machine.search(line):
                findings.append(f"{path}:{number}: a path of one machine: {line.strip()[:80]}")
    report(findings, checked)


if __name__ == "__main__":
    main(sys.argv[1])
