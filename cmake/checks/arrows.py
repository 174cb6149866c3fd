# SPDX-License-Identifier: Apache-2.0
"""The architecture: fails on an #include that no arrow of the house allows.

usage: arrows.py ROOT
A room may include itself and what ROOMS names. Tests include what their room may, and the helpers
of the tests of those rooms.
"""
import os
import re
import sys

from sources import files, report, text

# What each room may include, besides itself. The longest matching path is the room of a file.
BASE = ["oracle/base", "oracle/dtype", "oracle/records"]
ROOMS = {
    "oracle/base": ["oracle/dtype"],  # options.h names an architecture
    "oracle/dtype": [],
    "oracle/records": ["oracle/base", "oracle/dtype"],
    "oracle/container": BASE,
    "oracle/manifest": BASE + ["oracle/container"],
    "oracle/tree": BASE,
    "oracle/lower": BASE + ["oracle/container", "oracle/manifest", "oracle/tree"],
    "oracle/image": BASE + ["oracle/tree"],
    "oracle/stage": BASE + ["oracle/tree"],
    "oracle/test": ["oracle"],
    "harness": ["oracle"],
    "harness/test": ["harness", "oracle"],
    "fuzzers": ["harness", "oracle"],
    "fuzzers/test": ["fuzzers", "harness", "oracle"],
    "conformance": ["harness", "oracle"],
    "conformance/test": ["conformance", "harness", "oracle"],
    "cli": ["conformance", "fuzzers", "harness", "oracle"],
    "cli/test": ["cli", "conformance", "fuzzers", "harness", "oracle"],
    "bench": ["cli", "conformance", "fuzzers", "harness", "oracle"],
}
# Headers of libraries that only some rooms may see ("/test" stands for every room's tests).
LIBRARIES = {
    r"gtest/|gmock/": ["/test"],
    r"benchmark/": ["bench"],
    r"CLI/": ["cli"],
    r"rapidcheck": ["harness/rapidcheck", "/test"],
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)


def within(path, room):
    return path == room or path.startswith(room + "/")


def room_of(path):
    rooms = [r for r in ROOMS if within(path, r)]
    return max(rooms, key=len) if rooms else None


def is_test(path):
    return "/test/" in path


def allowed(source, target):
    room = room_of(source)
    if is_test(target) and not is_test(source):
        return False
    return any(within(target, r) for r in [room, *ROOMS[room]])


def image_halves(source, target):
    """oracle/image: encode shares no header with the rest but the room's interface."""
    halves = [os.path.basename(p).startswith("encode") for p in (source, target)]
    return target == "oracle/image/image.h" or halves[0] == halves[1]


def main(root):
    findings, checked = [], 0
    for path in files(root, ".h", ".cpp", ".def", ".inc", ".cc", ".hpp"):
        if not room_of(path):
            findings.append(f"{path}: in no room of the house")
            continue
        for kind, target in INCLUDE.findall(text(root, path)):
            checked += 1
            if kind == "<":
                for pattern, rooms in LIBRARIES.items():
                    if re.match(pattern, target) and not any(
                            r in path if r == "/test" else within(path, r) for r in rooms):
                        findings.append(f"{path}: <{target}> is for {', '.join(rooms)} alone")
            elif target.startswith("generated/"):
                pass
            elif not os.path.exists(os.path.join(root, target)):
                findings.append(f'{path}: "{target}" is no path from the project\'s root')
            elif not allowed(path, target):
                findings.append(f"{path}: no arrow from {room_of(path)} to {target}")
            elif within(path, "oracle/image") and within(target, "oracle/image") and \
                    not image_halves(path, target):
                findings.append(f"{path}: encode and decode share no code, but {target}")
    report(findings, checked)


if __name__ == "__main__":
    main(sys.argv[1])
