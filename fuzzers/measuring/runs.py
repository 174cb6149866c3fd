# SPDX-License-Identifier: Apache-2.0
"""One run of a libFuzzer program: how it is started, what it cost and what its log says.

Time is the child's own processor time, so that a busy machine changes no number. No part of the
measurement is here: what is run and what a number must be is the business of the other modules.
"""
import configparser
import dataclasses
import glob
import hashlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
BUILD = os.path.join(TOP, "build")
SEEDS = os.path.join(TOP, "corpus", "seeds")


class Unmeasured(Exception):
    """Something could not be measured; the text says what and why."""


@dataclasses.dataclass
class Log:
    """What a log says; None where it does not say."""
    executions: int | None = None
    edges: int | None = None       # libFuzzer's cov: edges of the instrumented code, see edges.py
    counted: int | None = None     # executions by the target's own count
    reached: int | None = None     # of these: those that reached lowering; an image: with the right checksum
    accepted: int | None = None    # and those that were accepted
    models: int | None = None      # of which so many were lowered to something of their own
    corpus: int | None = None      # inputs
    corpus_bytes: int | None = None
    found: str = ""                # what ended the run early, in one line


@dataclasses.dataclass
class Run:
    log: Log
    code: int
    cpu: float                     # seconds, user and system
    text: str
    artifacts: list


STATUS = re.compile(r"^#(\d+)\s+\w+.*?cov: (\d+)(?:.*?corp: (\d+)/(\d+)([KM]?)b)?")
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20}
STATS = re.compile(r"^stats: (\d+) executions, (\d+) reached lowering(?:, (\d+) accepted)?(?:, (\d+) models)?")
EXECUTED = re.compile(r"^stat::number_of_executed_units:\s*(\d+)")
# In the order in which they tell most.
ENDS = [re.compile(p) for p in (
    r"^(found: .*)", r"^(SUMMARY: \w+Sanitizer.*)", r"runtime error: (.*)",
    r"^==\d+== ?ERROR: (libFuzzer: .*)", r"^==\d+== ?(ERROR: .*)", r"^(SUMMARY: .*)")]


def parse(text):
    """A libFuzzer log, whole or cut short."""
    log, ends, last = Log(), {}, None
    for line in text.splitlines():
        if m := STATUS.match(line):
            last, log.edges = int(m[1]), int(m[2])
            if m[3]:
                log.corpus, log.corpus_bytes = int(m[3]), int(m[4]) * UNITS[m[5]]
        elif m := EXECUTED.match(line):
            log.executions = int(m[1])
        elif m := STATS.match(line):
            log.counted, log.reached = int(m[1]), int(m[2])
            log.accepted, log.models = (int(n) if n else None for n in m.groups()[2:])
        for rank, end in enumerate(ENDS):
            if m := end.search(line):
                ends.setdefault(rank, m[1].strip())
    if log.executions is None:
        log.executions = last
    log.found = ends[min(ends)] if ends else ""
    return log


def options_of(path):
    """The flags of a <target>.options file."""
    read = configparser.ConfigParser()
    if not read.read(path) or not read.has_section("libfuzzer"):
        raise Unmeasured(f"{os.path.relpath(path, TOP)}: no [libfuzzer] section")
    return [f"-{k}={v}" for k, v in read.items("libfuzzer")]


def seeds_of(target):
    directory = os.path.join(SEEDS, target)
    if not os.path.isdir(directory) or not os.listdir(directory):
        raise Unmeasured(f"{target}: no seeds")
    return directory


def program_of(form, target):
    path = os.path.join(BUILD, f"fuzz-{form}", "out", target)
    if not os.access(path, os.X_OK):
        raise Unmeasured(f"{os.path.relpath(path, TOP)}: not built")
    return path


def targets_of(form):
    """Every target that is built in a form."""
    out = os.path.join(BUILD, f"fuzz-{form}", "out")
    return sorted(os.path.basename(p)[:-len(".options")] for p in glob.glob(os.path.join(out, "*.options")))


def known_targets():
    """Every target that there is, built or not: each has seeds."""
    return sorted(os.listdir(SEEDS))


def hash_of(program):
    """Of a program with the libraries of its own that it loads."""
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    own = sorted(p for p in re.findall(r"=> (/\S+)", linked) if p.startswith(os.path.dirname(program)))
    digest = hashlib.sha256()
    for path in [program, *own]:
        with open(path, "rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


_running = set()
_lock = threading.Lock()
_killed = set()
INTERRUPTED = 72  # libFuzzer's exit code


def stop_all():
    """Ends every child that still runs: what they come to is no result."""
    with _lock:
        for process in _running:
            _killed.add(process)
            process.send_signal(signal.SIGKILL)


def run(program, arguments, seeds=(), corpus=None, environment=None, patience=900, artifacts=None):
    """Runs a program over `seeds` (directories, never written to). What it keeps goes to `corpus`,
    else nowhere; artifacts likewise. `patience`: wall seconds after which it counts as hung."""
    # In memory where that can be had: what a file system takes to write a corpus is no part of a target.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK | os.X_OK) else None
    with tempfile.TemporaryDirectory(prefix="assay-measure.", dir=memory) as scratch:
        kept = artifacts or os.path.join(scratch, "artifacts")
        for directory in filter(None, [kept, corpus, os.path.join(scratch, "empty")]):
            os.makedirs(directory, exist_ok=True)
        before = set(os.listdir(kept))
        # Nobody else writes to its corpus: it is not to look for news there.
        command = [program, *arguments, "-print_final_stats=1", "-reload=0", f"-artifact_prefix={kept}/",
                   corpus or os.path.join(scratch, "empty"), *seeds]
        with open(os.path.join(scratch, "log"), "wb") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=scratch,
                                       env={**os.environ, "ASSAY_FUZZ_STATS": "1", **(environment or {})})
        with _lock:
            _running.add(process)
        hung = threading.Timer(patience, process.kill)
        hung.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        finally:
            if hung.finished.is_set():
                patience = 0
            hung.cancel()
            with _lock:
                _running.discard(process)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process in _killed or process.returncode == INTERRUPTED:
            raise Unmeasured("interrupted")
        with open(os.path.join(scratch, "log"), encoding="utf-8", errors="replace") as stream:
            text = stream.read()
        if patience == 0:
            text += "\nERROR: it did not end in time\n"
        new = sorted(os.path.join(kept, n) for n in set(os.listdir(kept)) - before)
        return Run(parse(text), process.returncode, usage.ru_utime + usage.ru_stime, text,
                   new if artifacts else [os.path.basename(p) for p in new])


def fresh(directory):
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    return directory


def stamp():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
