# SPDX-License-Identifier: Apache-2.0
"""Copies the oracle's sources and puts every bug of bugs.toml into the copy.

usage: patch.py ORACLE-DIRECTORY OUTPUT-DIRECTORY

A bug replaces a text that occurs exactly once in one file. Its new text says $BUG where the bug is
on: then assay_bug_active is the bug's number. A text that no longer occurs exactly once, or two bugs
in one place, end the program with 1.
"""
import os
import re
import sys
import tomllib

TABLE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "bugs.toml")
KEYS = {"number": int, "name": str, "target": str, "what": str, "file": str, "old": str, "new": str}
SOURCES = (".cpp", ".h", ".def")
SWITCH = 'extern "C" int assay_bug_active;\n'


class BadTable(Exception):
    pass


def read_table(path=TABLE):
    """The bugs, in the order of the file; what a bug alone can have wrong is refused."""
    with open(path, "rb") as stream:
        bugs = tomllib.load(stream).get("bug", [])
    for bug in bugs:
        title = f"bug {bug.get('number')} ({bug.get('name')})"
        if {k: type(v) for k, v in bug.items()} != KEYS:
            raise BadTable(f"{title}: its keys are {sorted(bug)}, wanted {sorted(KEYS)}")
        if "$BUG" not in bug["new"]:
            raise BadTable(f"{title}: the new text has no $BUG, so that the bug is always on")
        if bug["number"] < 1 or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", bug["name"]):
            raise BadTable(f"{title}: a number from 1 and a name in kebab-case are wanted")
    for key in ("number", "name"):
        if len({b[key] for b in bugs}) != len(bugs):
            raise BadTable(f"two bugs of one {key}")
    return bugs


def patched(name, text, bugs):
    """The text of a file with all its bugs."""
    places = []
    for bug in bugs:
        title = f"bug {bug['number']} ({bug['name']})"
        found = text.count(bug["old"])
        if found != 1:
            raise BadTable(f"{title}: its old text occurs {found} times in {name}")
        begin = text.index(bug["old"])
        places.append((begin, begin + len(bug["old"]), bug, title))
    places.sort(key=lambda p: p[:2])
    out, at = [], 0
    for begin, end, bug, title in places:
        if begin < at:
            raise BadTable(f"{title}: another bug is in the same place of {name}")
        out += [text[at:begin], bug["new"].replace("$BUG", f"bool(::assay_bug_active == {bug['number']})")]
        at = end
    return (SWITCH if bugs else "") + "".join([*out, text[at:]])


def sources(oracle):
    """Relative paths of what is copied: everything but the tests."""
    found = []
    for folder, folders, names in os.walk(oracle):
        folders[:] = sorted(f for f in folders if f != "test")
        found += [os.path.relpath(os.path.join(folder, n), oracle) for n in names if n.endswith(SOURCES)]
    return sorted(found)


def apply(oracle, bugs):
    """{relative path: text}"""
    of_file = {}
    for bug in bugs:
        of_file.setdefault(bug["file"], []).append(bug)
    out = {}
    for path in sources(oracle):
        with open(os.path.join(oracle, path), encoding="utf-8") as stream:
            out[path] = patched(path, stream.read(), of_file.pop(path, []))
    for path, lost in of_file.items():
        raise BadTable(f"bug {lost[0]['number']} ({lost[0]['name']}): no file {path}")
    return out


def write(files, output):
    """Only what differs, so that no more is compiled anew; what is no longer there goes."""
    for path in sources(output) if os.path.isdir(output) else []:
        if path not in files:
            os.remove(os.path.join(output, path))
    for path, text in files.items():
        to = os.path.join(output, path)
        try:
            with open(to, encoding="utf-8") as stream:
                if stream.read() == text:
                    continue
        except OSError:
            os.makedirs(os.path.dirname(to), exist_ok=True)
        with open(to, "w", encoding="utf-8") as stream:
            stream.write(text)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        write(apply(sys.argv[1], read_table()), sys.argv[2])
    except BadTable as error:
        sys.exit(f"bugs.toml: {error}")
