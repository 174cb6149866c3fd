# SPDX-License-Identifier: Apache-2.0
"""What the checks share: the project's own files, and how a check reports."""
import os
import subprocess
import sys

SKIPPED = {".git", "build", "out", "__pycache__"}


def files(root, *suffixes):
    """Paths below root, relative and with '/', that git does not ignore; sorted."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"],
                            capture_output=True, check=False) if os.path.exists(
                                os.path.join(root, ".git")) else None
    if listed and listed.returncode == 0:
        paths = os.fsdecode(listed.stdout).split("\0")
        paths = [p for p in paths if p and os.path.isfile(os.path.join(root, p))]
    else:  # an unpacked archive, or a repository that belongs to another user
        paths = []
        for folder, folders, names in os.walk(root):
            folders[:] = [f for f in folders if f not in SKIPPED]
            paths += [os.path.relpath(os.path.join(folder, n), root) for n in names]
    return sorted(p for p in paths if not suffixes or p.endswith(suffixes))


def text(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as stream:
        return stream.read()


def report(findings, checked):
    """Prints the findings and ends the program; checking nothing is a failure too."""
    for finding in findings:
        print(finding)
    if not checked:
        print("nothing was checked")
    print(f"{checked} checked, {len(findings)} findings")
    sys.exit(1 if findings or not checked else 0)
