#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What generated cases reach of the oracle: runs the properties on a fixed seed in a coverage build,
and prints lines and branches of every file.

Lines that no generated case can reach (the operating system's errors, bounds of gigabytes) stand in
the source between `// unreached: <why>` and `// reached`, or end in `// unreached: <why>`. They are
left out of the two shares, and counted beside them.

usage: coverage.py SOURCE_DIR TOOL LLVM_PROFDATA LLVM_COV WORK_DIR [CASES [SEED]]
Exits 1 when lines or branches fall below the bounds, or too much is marked.
"""
import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict

LINES, BRANCHES, MARKED = 95.0, 90.0, 2.0  # percent
OPEN = re.compile(r"^\s*// unreached: \S")
CLOSE = re.compile(r"^\s*// reached$")
ONE = re.compile(r"\S.*// unreached: \S")


def marked_lines(path):
    """Numbers of the lines that are marked as out of reach."""
    marked, inside = set(), False
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            if OPEN.match(line):
                inside = True
            elif CLOSE.match(line):
                inside = False
            elif inside or ONE.search(line):
                marked.add(number)
    if inside:
        sys.exit(f"{path}: `// unreached` without its `// reached`")
    return marked


def line_counts(segments):
    """{line: count} of the lines with code, as llvm-cov's own reports have them."""
    counts, by_line = {}, defaultdict(list)
    for s in segments:
        by_line[s[0]].append(s)
    wrapped = None  # the segment that a line begins in
    if not segments:
        return counts
    for line in range(segments[0][0], segments[-1][0] + 1):
        here = by_line.get(line, [])
        starts = [s for s in here if s[3] and s[4] and not s[5]]
        mapped = bool(starts) or (wrapped is not None and wrapped[3])
        if here and not starts and not any(s[3] for s in here) and not (wrapped is not None and wrapped[3]):
            mapped = False
        if mapped:
            count = wrapped[2] if wrapped is not None and wrapped[3] else 0
            for s in starts:
                count = max(count, s[2])
            counts[line] = count
        if here:
            wrapped = here[-1]
    return counts


def branch_counts(branches):
    """{(line, column): [times true, times false]}, instantiations together."""
    out = {}
    for b in branches:
        key = (b[0], b[1], b[2], b[3])
        both = out.setdefault(key, [0, 0])
        both[0] += b[4]
        both[1] += b[5]
    return out


def share(hit, of):
    return 100.0 * hit / of if of else 100.0


def main(argv):
    if len(argv) < 6:
        sys.exit(__doc__)
    source, tool, profdata, cov, work = argv[1:6]
    cases = argv[6] if len(argv) > 6 else "20000"
    seed = argv[7] if len(argv) > 7 else "1"
    profiles = os.path.join(work, "profiles")
    shutil.rmtree(profiles, ignore_errors=True)
    os.makedirs(profiles)
    environment = dict(os.environ, LLVM_PROFILE_FILE=os.path.join(profiles, "%m_%p.profraw"))
    command = [tool, "prove", "--cases", cases, "--seed", seed, "--save", os.path.join(work, "failures")]
    print("+ assay " + " ".join(command[1:5]), flush=True)
    ran = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    print(ran.stdout.strip().splitlines()[-1] if ran.stdout.strip() else "no output")
    if ran.returncode != 0:
        return 1
    merged = os.path.join(work, "proved.profdata")
    raw = [os.path.join(profiles, name) for name in sorted(os.listdir(profiles))]
    subprocess.run([profdata, "merge", "-o", merged, *raw], check=True)
    oracle = os.path.join(os.path.realpath(source), "oracle")
    text = subprocess.run([cov, "export", tool, "-instr-profile", merged], stdout=subprocess.PIPE, check=True).stdout
    files = json.loads(text)["data"][0]["files"]

    rows, missed = [], []
    for f in files:
        # Paths may have lost the tree's own prefix.
        path = f["filename"]
        full = path if os.path.isabs(path) else os.path.join(os.path.realpath(source), path)
        full = os.path.realpath(full)
        if not full.startswith(oracle + os.sep) or "/test/" in full or not os.path.exists(full):
            continue
        marked = marked_lines(full)
        lines = line_counts(f["segments"])
        branches = branch_counts(f.get("branches", []))
        kept = {n: c for n, c in lines.items() if n not in marked}
        sides = [(k, i) for k in branches if k[0] not in marked for i in (0, 1)]
        name = os.path.relpath(full, os.path.realpath(source))
        rows.append((name, sum(c > 0 for c in kept.values()), len(kept), sum(branches[k][i] > 0 for k, i in sides),
                     len(sides), sum(n in marked for n in lines)))
        missed += [f"{name}:{n}" for n, c in sorted(kept.items()) if c == 0]
        missed += [f"{name}:{k[0]}:{k[1]}: never {'true' if i == 0 else 'false'}" for k, i in sorted(sides) if branches[k][i] == 0]
    rows.sort()
    with open(os.path.join(work, "unreached.txt"), "w", encoding="utf-8") as out:
        out.write("\n".join(missed) + "\n")

    total = ["total", *(sum(r[i] for r in rows) for i in range(1, 6))]
    width = max(len(r[0]) for r in rows)
    print(f"{'file':{width}}  {'lines':>15}  {'branches':>15}  marked")
    for name, hit, of, bhit, bof, marked in [*rows, total]:
        print(f"{name:{width}}  {hit:5}/{of:<5}{share(hit, of):5.1f}%  {bhit:4}/{bof:<4}{share(bhit, bof):5.1f}%  {marked or ''}")
    lines, branches = share(total[1], total[2]), share(total[3], total[4])
    marked = share(total[5], total[2] + total[5])
    print(f"lines {lines:.1f} % (at least {LINES:.0f}), branches {branches:.1f} % (at least {BRANCHES:.0f}), "
          f"marked as out of reach {total[5]} lines, {marked:.1f} % (at most {MARKED:.0f}); the rest is in unreached.txt")
    return 0 if lines >= LINES and branches >= BRANCHES and marked <= MARKED else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
