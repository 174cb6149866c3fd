# SPDX-License-Identifier: Apache-2.0
"""What a program's or library's file says of itself, by binutils and ldd. Runs no target."""
import collections
import mmap
import os
import re
import subprocess

ENTRY = b"LLVMFuzzerTestOneInput"
# What a system has that runs C and C++ programs (libresolv is glibc's); the rest a build must bring along.
SYSTEM = re.compile(r"(linux-vdso|ld-linux[-\w]*|lib(c|m|pthread|dl|rt|resolv|gcc_s|stdc\+\+))\.so\.\d+$")
CALL = r"call[q]? +[0-9a-f]+ <__(asan|ubsan|msan|tsan|sanitizer_cov)_"


def output(command, timeout=120, environment=None):
    """Standard output of a command that must end well."""
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True,
                          errors="replace", timeout=timeout, env=environment).stdout


def holds_entry(path):
    """Whether the file holds the name of libFuzzer's entry point, as OSS-Fuzz looks for it."""
    with open(path, "rb") as f:
        if os.fstat(f.fileno()).st_size == 0:
            return False
        with mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ) as m:
            return m.find(ENTRY) >= 0


def is_elf(path):
    with open(path, "rb") as f:
        return f.read(4) == b"\x7fELF"


def sanitizer_calls(path, own):
    """({sanitizer: calls of its functions}, {the same in functions whose symbol matches `own`}).

    The first is OSS-Fuzz's count, in which a sanitizer's runtime and libFuzzer have their share."""
    dump = subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", path], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL)
    lines = subprocess.run(["grep", "-oE", rf"^[0-9a-f]+ <.*>:$|{CALL}"], stdin=dump.stdout, stdout=subprocess.PIPE,
                           text=True, timeout=300).stdout
    dump.stdout.close()
    if dump.wait() != 0:
        raise OSError(f"objdump failed on {path}")
    every, ours, inside = collections.Counter(), collections.Counter(), False
    for line in lines.splitlines():
        if line.endswith(">:"):
            inside = re.search(own, line) is not None
        else:
            sanitizer = line.rsplit("<__", 1)[1].rstrip("_")
            every[sanitizer] += 1
            ours[sanitizer] += inside
    return every, ours


def instrumentation(path):
    """Names in a library that only instrumented code has: sections of edges, undefined hooks."""
    sections = set(re.findall(r"__sancov_\w+", output(["readelf", "-SW", path])))
    hooks = set(re.findall(r" U (__(?:asan|ubsan|msan|tsan|sanitizer_cov|llvm_profile)_\w+)",
                           output(["nm", "-D", path])))
    return sorted(sections | hooks)


def run_paths(path):
    """Where the file has the loader look for libraries."""
    found = re.findall(r"\((?:RPATH|RUNPATH)\)\s+Library \w+: \[(.*)\]", output(["readelf", "-dW", path]))
    return [p for one in found for p in one.split(":")]


def foreign_libraries(path):
    """[(name, where it was found or "not found")] beyond the system's own, nothing set in the environment."""
    found = []
    for line in output(["ldd", path], environment={"PATH": os.environ["PATH"], "LC_ALL": "C"}).splitlines():
        m = re.match(r"\s*(\S+) => (not found|\S+)|\s*(/\S+) \(", line)
        if not m:
            continue
        name, where = (m[1], m[2]) if m[1] else (os.path.basename(m[3]), m[3])
        if not SYSTEM.match(os.path.basename(name)):
            found.append((name, where))
    return found
