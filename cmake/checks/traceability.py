# SPDX-License-Identifier: Apache-2.0
"""Traceability: every `must` of the areas built so far is cited by a test (ASSAY_COVERS).

usage: traceability.py ROOT
A citation of an id that the catalogue does not have is a finding too. Requirements of the other
levels that no test cites are listed, and are no finding.
"""
import json
import os
import sys

from sources import report, text

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "cli"))
from gen_requirements import citations  # noqa: E402  (one reader of citations)

AREAS = ["DT", "JSN", "CON", "IO", "SEC", "VAR", "DMQ", "DMB", "CCM", "UCL", "SBC", "FP8", "ACT",
         "DVE", "LOW", "IMG", "LAY"]


def main(root):
    rows = json.loads(text(root, "corpus/spec/requirements.json"))["requirements"]
    level = {row["id"]: row["level"] for row in rows}
    cites = citations(root)
    cited = {cite[0] for cite in cites}
    findings = [f"{path}:{line}: {test} cites {i}, which the catalogue does not have"
                for i, test, path, line in cites if i not in level]
    ours = [i for i in level if i.split("-")[0] in AREAS]
    findings += [f"{i}: a must that no test cites" for i in ours
                 if level[i] == "must" and i not in cited]
    for i in ours:
        if level[i] != "must" and i not in cited:
            print(f"{i}: {level[i]}, not cited (no finding)")
    report(findings, len(ours))


if __name__ == "__main__":
    main(sys.argv[1])
