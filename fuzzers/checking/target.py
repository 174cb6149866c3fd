# SPDX-License-Identifier: Apache-2.0
"""The checks of one target, on a copy of the build that lies elsewhere. Each tells what it expected and
what it found; none relies on another's having passed."""
import configparser
import os
import re
import zipfile

from . import binaries, box

RUNTIMES = {"address": "AddressSanitizer", "undefined": "UndefinedBehaviorSanitizer"}
CALLS = {"address": "asan", "undefined": "ubsan"}


class Target:
    """One target and the bounds that it is held to. After check(): `failures` [(check, expected, actual)],
    `not_run` [(check, why)], `facts` {name: number}."""

    def __init__(self, name, directory, bounds, form):
        self.name, self.bounds, self.form = name, bounds, form
        self.out, self.work, self.temporary = (os.path.join(directory, d) for d in ("out", "work", "tmp"))
        self.program = os.path.join(self.out, name)
        self.dictionary, self.options = (os.path.join(self.out, f"{name}.{x}") for x in ("dict", "options"))
        self.seeds = os.path.join(directory, "seeds")
        self.failures, self.not_run, self.facts = [], [], {}
        self.flags, self.empty_cover = [], None

    def fail(self, check, expected, actual):
        self.failures.append((check, expected, str(actual)))

    def run(self, *arguments, **environment):
        return box.run([self.program, *arguments], self.work, self.temporary, self.bounds.timeout, **environment)

    def check(self):
        before = self.files()
        self.check_libraries()
        self.check_calls()
        known = self.check_runtime()
        self.check_runs()
        self.check_options(known)
        self.check_seeds()
        self.check_beside(before)

    def files(self):
        """{path: (size, time of change)} beside the program and in the directory that it runs in."""
        found = {}
        for top in (self.out, self.work):
            for where, _, names in os.walk(top):
                for path in (os.path.join(where, n) for n in names):
                    s = os.lstat(path)
                    found[os.path.relpath(path, os.path.dirname(self.out))] = (s.st_size, s.st_mtime_ns)
        return found

    def check_beside(self, before):
        changed = sorted(path for path, state in self.files().items() if before.get(path) != state)
        if changed:
            self.fail("beside", "no file written but in the temporary directory", " ".join(changed[:5]))

    def check_libraries(self):
        paths = binaries.run_paths(self.program)
        foreign = binaries.foreign_libraries(self.program)
        self.facts["libraries"] = len(foreign)
        if foreign and paths != ["$ORIGIN/lib"]:
            self.fail("libraries", "an rpath of $ORIGIN/lib", ":".join(paths) or "none")
        own = os.path.realpath(os.path.join(self.out, "lib"))
        for name, where in foreign:
            if os.path.dirname(os.path.realpath(where)) != own:
                self.fail("libraries", f"{name} from $OUT/lib", where)

    def check_calls(self):
        """Sanitizers compiled in: the build's own, in the project's own code, and no other."""
        every, ours = binaries.sanitizer_calls(self.program, self.bounds.code)
        for sanitizer in ("asan", "ubsan", "msan", "tsan"):
            if sanitizer == CALLS[self.bounds.sanitizer]:
                self.facts["calls"] = ours[sanitizer]
                if ours[sanitizer] < self.bounds.min_calls:
                    self.fail("sanitizer", f"at least {self.bounds.min_calls} calls of {sanitizer}", ours[sanitizer])
            elif every[sanitizer] > self.bounds.max_other_calls:
                self.fail("sanitizer", f"at most {self.bounds.max_other_calls} calls of {sanitizer}", every[sanitizer])

    def check_runtime(self):
        """The sanitizer linked in lists its flags. Returns the names of libFuzzer's own flags."""
        helped = self.run("-help=1", **{f"{c.upper()}_OPTIONS": "help=1" for c in (*CALLS.values(), "msan", "tsan")})
        runtimes = set(re.findall(r"Available flags for (\w+Sanitizer):", helped.text))
        found = runtimes & {*RUNTIMES.values(), "MemorySanitizer", "ThreadSanitizer"}
        if found != {RUNTIMES[self.bounds.sanitizer]}:
            self.fail("runtime", RUNTIMES[self.bounds.sanitizer], " and ".join(sorted(found)) or helped.how())
        return set(re.findall(r"^ (\w+) *\t", helped.text, re.M))

    def check_runs(self):
        """Four runs in the box; what libFuzzer says there of the instrumentation."""
        if self.form is None:
            self.not_run.append(("runs", "no way to make all but one directory read-only"))
            return
        ran = box.run_boxed(self.form, [self.program, "-seed=1337", "-runs=4"], self.work, self.temporary,
                            self.bounds.timeout, probes=[self.out])
        if ran is None:
            self.not_run.append(("runs", "more than one directory was writable"))
            return
        if ran.code != 0 or "Done 4 runs" not in ran.text:
            self.fail("runs", "exit 0 and `Done 4 runs`", f"{ran.how()}: {ran.tail()}")
        modules = ran.number(r"^INFO: Loaded (\d+) modules") or 0
        edges = ran.number(r"\((\d+) (?:inline 8-bit counters|guards)\)") or 0
        self.facts["edges"] = edges
        if modules != 1:
            self.fail("instrumented", "1 instrumented module", modules)
        elif edges < self.bounds.min_edges:
            self.fail("instrumented", f"at least {self.bounds.min_edges} edges", edges)
        self.empty_cover = ran.number(r"INITED.* cov: (\d+)") or 0

    def check_options(self, known):
        """Keys that libFuzzer knows, with values that it takes: they go on the seeds' command line."""
        parser = configparser.ConfigParser(interpolation=None, strict=True)
        try:
            with open(self.options, encoding="utf-8") as f:
                parser.read_file(f)
        except FileNotFoundError:
            return self.fail("options", f"{self.name}.options", "no such file")
        except (configparser.Error, UnicodeDecodeError) as e:
            return self.fail("options", "an options file", str(e).replace("\n", " "))
        if parser.sections() != ["libfuzzer"]:
            return self.fail("options", "one section, libfuzzer", " ".join(parser.sections()) or "none")
        for key, value in parser["libfuzzer"].items():
            if key not in known:
                self.fail("options", "a flag of libFuzzer", key)
            elif not re.fullmatch(r"-?\d+", value):
                self.fail("options", f"a number for {key}", value)
            else:
                self.flags.append(f"-{key}={value}")

    def unpacked_seeds(self):
        """Unpacks the seed corpus. Returns its number of seeds, 0 when it is missing or broken. libFuzzer
        tries the empty input in any case, and so counts none as a seed."""
        try:
            with zipfile.ZipFile(os.path.join(self.out, f"{self.name}_seed_corpus.zip")) as z:
                sizes = [i.file_size for i in z.infolist() if i.file_size > 0]
                z.extractall(self.seeds)
        except (OSError, zipfile.BadZipFile) as e:
            self.fail("seeds", f"{self.name}_seed_corpus.zip", e)
            return 0
        if not sizes:
            self.fail("seeds", "at least one seed", 0)
        longest = max(sizes, default=0)
        limit = next((int(f[9:]) for f in self.flags if f.startswith("-max_len=")), longest)
        if longest > limit:
            self.fail("seeds", f"no seed over max_len ({limit} bytes)", longest)
        return len(sizes)

    def check_seeds(self):
        """Every seed with the dictionary and the options: all pass, together they reach more than none does."""
        seeds = self.facts["seeds"] = self.unpacked_seeds()
        artifacts = os.path.join(self.temporary, "artifacts")
        os.makedirs(artifacts, exist_ok=True)
        arguments = ["-runs=0", f"-artifact_prefix={artifacts}/", *self.flags]
        if seeds:
            arguments.append(self.seeds)
        if os.path.isfile(self.dictionary):
            ran = self.run(f"-dict={self.dictionary}", *arguments)
            broken = re.search(r"ParseDictionaryFile: .*\n?.*", ran.text)
            entries = self.facts["entries"] = ran.number(r"^Dictionary: (\d+) entries") or 0
            if broken or entries == 0:
                self.fail("dictionary", "a dictionary with entries",
                          " ".join(broken[0].split()) if broken else f"{entries} entries")
        else:
            broken = True
            self.fail("dictionary", f"{self.name}.dict", "no such file")
        if broken:
            ran = self.run(*arguments)
        if not seeds:
            return
        stored = os.listdir(artifacts)
        if ran.code != 0 or stored:
            self.fail("seeds", f"{seeds} seeds pass", " ".join([f"{ran.how()}: {ran.tail()}", *stored]))
            return
        read = ran.number(r"^INFO: seed corpus: files: (\d+)")
        if read != seeds:
            self.fail("seeds", f"{seeds} seeds read", read)
        cover = self.facts["seed_cover"] = ran.number(r"INITED.* cov: (\d+)") or 0
        if self.empty_cover is None:
            self.not_run.append(("seeds", "what they cover beyond the empty input: its run was not"))
        elif cover <= self.empty_cover:
            self.fail("seeds", f"more covered than by none ({self.empty_cover})", cover)
