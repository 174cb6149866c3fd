# SPDX-License-Identifier: Apache-2.0
"""The project's copies of the specification's data equal the originals, where those are at hand.

usage: shared_copies.py ROOT SHARED
Exits 77 (not run) where SHARED does not exist.
"""
import os
import re
import sys

from sources import report, text

# What the project copies: folder or file of SHARED -> its place here.
COPIES = {
    "spec/layout.json": "corpus/spec/layout.json",
    "spec/enums.json": "corpus/spec/enums.json",
    "spec/requirements.json": "corpus/spec/requirements.json",
    "data/neff": "corpus/models/matmul_small",
    "data/allreduce32": "corpus/models/allreduce32",
}
KIND = re.compile(r'^KIND\((\d+),.*"([^"]*)"\)', re.MULTILINE)
FIRST = re.compile(r"^\|\s*(\d+)\s*\|\s*([^|]+?)\s*\|", re.MULTILINE)
ROW = re.compile(r"\|\s*(\d+)\s*\|\s*([^|]+?)\s*(?=\|)")


def pairs(shared):
    for source, target in COPIES.items():
        if os.path.isdir(os.path.join(shared, source)):
            for folder, _, names in os.walk(os.path.join(shared, source)):
                for name in sorted(names):
                    path = os.path.relpath(os.path.join(folder, name), os.path.join(shared, source))
                    yield os.path.join(source, path), os.path.join(target, path)
        else:
            yield source, target


def content(path):
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError:
        return None


def main(root, shared):
    if not os.path.isdir(shared):
        print("not run: the specification's folder is not here")
        sys.exit(77)
    findings, checked = [], 0
    for source, target in pairs(shared):
        checked += 1
        original, copy = content(os.path.join(shared, source)), content(os.path.join(root, target))
        if original is None or copy is None:
            findings.append(f"{target}: it or its original {source} is missing")
        elif original != copy:
            findings.append(f"{target}: differs from {source}")
    # The table of record kinds is written again on purpose: in kinds.def and in our own words.
    def table(of):
        return of.split("| kind | record |", 1)[-1].split("\n\n", 1)[0]

    theirs = {int(code): title for code, title in ROW.findall(table(text(shared, "spec/image.md")))}
    described = table(text(root, "doc/image-format.md"))
    checked += len(theirs)
    for place, ours in (
            ("kinds.def", KIND.findall(text(root, "oracle/records/kinds.def"))),
            ("image-format.md", FIRST.findall(described))):
        ours = {int(code): title for code, title in ours}
        for code in sorted(theirs.keys() | ours.keys()):
            if theirs.get(code) != ours.get(code):
                findings.append(f"{place}: {code} is {ours.get(code)!r}, not {theirs.get(code)!r}")
    if not theirs:
        findings.append("image.md: no table of kinds found")
    report(findings, checked)


if __name__ == "__main__":
    main(*sys.argv[1:3])
