# SPDX-License-Identifier: Apache-2.0
"""check_build on small targets: good builds pass, and each bad one fails it for its own reason alone."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
CHECK = os.path.join(os.path.dirname(HERE), "check_build")
CXX = shutil.which("clang++-19")
sys.path.insert(0, os.path.dirname(HERE))
from checking import box  # noqa: E402

OPTIONS = "[libfuzzer]\nmax_len = 64\ntimeout = 5\nrss_limit_mb = 2048\n"
SEED = bytes(ord("a") + i % 26 for i in range(32))
ADDRESS, UNDEFINED = "-fsanitize=fuzzer,address", "-fsanitize=fuzzer,undefined"
RPATH = "-Wl,--disable-new-dtags,-rpath,$ORIGIN/lib"

# Programs: name | compiler flags | linker flags
PROGRAMS = {
    "good": ([ADDRESS], [ADDRESS, RPATH]),
    "good_ubsan": ([UNDEFINED], [UNDEFINED, RPATH]),
    "both": ([ADDRESS, UNDEFINED], [ADDRESS, UNDEFINED, RPATH]),
    "bare": ([], [ADDRESS, RPATH]),
    "no_edges": (["-fsanitize=address"], [ADDRESS, RPATH]),
    "few_edges": ([ADDRESS, "-DFEW_EDGES"], [ADDRESS, RPATH]),
    "two_modules": ([ADDRESS], [ADDRESS, RPATH, "-ledges"]),  # a library has edges, too
    "no_sanitizer": (["-fsanitize=fuzzer"], [ADDRESS, RPATH]),
    "hangs": ([ADDRESS, "-DHANGS"], [ADDRESS, RPATH]),
    "writes": ([ADDRESS, "-DWRITES"], [ADDRESS, RPATH]),
    "must_write": ([ADDRESS, "-DMUST_WRITE"], [ADDRESS, RPATH]),
    "packaged": ([ADDRESS, "-DPACKAGED"], [ADDRESS, RPATH, "-lfmt"]),
    "no_rpath": ([ADDRESS], [ADDRESS]),
    "other_rpath": ([ADDRESS], [ADDRESS, "-Wl,-rpath,$ORIGIN/lib:/usr/lib"]),
}
# What each must fail, in a build for AddressSanitizer.
WRONG = {
    "good_ubsan": {"sanitizer", "runtime"},
    "both": {"sanitizer"},
    "bare": {"sanitizer", "instrumented", "seeds"},
    "no_edges": {"instrumented", "seeds"},
    "few_edges": {"instrumented"},
    "two_modules": {"instrumented"},
    "no_sanitizer": {"sanitizer"},
    "hangs": {"runs", "seeds"},
    "writes": {"beside"},
    "must_write": {"runs", "beside"},
    "packaged": {"libraries"},
    "no_rpath": {"libraries", "runtime", "runs", "instrumented", "seeds", "dictionary", "options"},
    "other_rpath": {"libraries"},
}


def no_part(part):
    return lambda out, name: os.remove(os.path.join(out, name + part))


def part(suffix, content):
    def write(out, name):
        with open(os.path.join(out, name + suffix), "wb") as f:
            f.write(content.encode())
    return write


def seeds(*contents):
    def write(out, name):
        with zipfile.ZipFile(os.path.join(out, f"{name}_seed_corpus.zip"), "w") as z:
            for i, content in enumerate(contents):
                z.writestr(str(i), content)
    return write


# The good program with other parts: how | what it must fail, and what was expected there
PARTS = {
    "crashing_seed": (seeds(SEED, b"!"), "seeds: 2 seeds pass"),
    "no_seed": (seeds(), "seeds: at least one seed"),
    "no_seeds": (no_part("_seed_corpus.zip"), "seeds: no_seeds_seed_corpus.zip"),
    "broken_seeds": (part("_seed_corpus.zip", "PK"), "seeds: broken_seeds_seed_corpus.zip"),
    "useless_seed": (seeds(b"\n"), "seeds: more covered than by none"),
    "long_seed": (seeds(SEED, bytes(65)), "seeds: no seed over max_len"),
    "no_dictionary": (no_part(".dict"), "dictionary: no_dictionary.dict"),
    "bad_dictionary": (part(".dict", '"abc"\n"de\n'), "dictionary: a dictionary with entries"),
    "empty_dictionary": (part(".dict", "# nothing\n"), "dictionary: a dictionary with entries"),
    "no_options": (no_part(".options"), "options: no_options.options"),
    "no_section": (part(".options", "max_len = 64\n"), "options: an options file"),
    "other_section": (part(".options", "[libfuzer]\nmax_len = 64\n"), "options: one section, libfuzzer"),
    "unknown_option": (part(".options", OPTIONS + "max_length = 64\n"), "options: a flag of libFuzzer"),
    "no_number": (part(".options", OPTIONS + "seed = many\n"), "options: a number for seed"),
}


def compiled(directory):
    """Compiles the programs, two at a time, and the libraries that they load. Returns their directory."""
    commands = []
    lib = os.path.join(directory, "lib")
    os.mkdir(lib)
    with open(os.path.join(directory, "library.cpp"), "w") as f:
        f.write('extern "C" int tiny_library(int x) { return x > 7 ? x * 3 : x; }\n')
    for path, flags in ((f"{lib}/libtiny.so", []), (f"{directory}/libedges.so", ["-fsanitize=fuzzer-no-link"])):
        subprocess.run([CXX, "-shared", "-fPIC", "-O1", *flags, f"{directory}/library.cpp", "-o", path,
                        f"-Wl,-soname,{os.path.basename(path)}"], check=True)
    for name, (compile_flags, link_flags) in PROGRAMS.items():
        source, program = os.path.join(HERE, "tiny.cpp"), os.path.join(directory, name)
        quoted = " ".join(f"'{f}'" for f in ["-std=c++20", "-O1", *compile_flags])
        commands.append(f"'{CXX}' {quoted} -c '{source}' -o '{program}.o' && '{CXX}' "
                        f"'{program}.o' {' '.join(chr(39) + f + chr(39) for f in link_flags)} "
                        f"-L'{lib}' -L'{directory}' -ltiny -o '{program}'")
    for i in range(0, len(commands), 2):
        running = [subprocess.Popen(["sh", "-c", c]) for c in commands[i:i + 2]]
        if any([p.wait() for p in running]):
            raise RuntimeError("a small target does not compile")
    return directory


class CheckBuild(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.programs = compiled(temporary.name)
        cls.bounds = ["--min-edges", "40", "--min-calls", "40", "--code", "step|TestOneInput", "--max-other-calls",
                      "20", "--timeout", "15"]

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.out = os.path.join(temporary.name, "out")
        shutil.copytree(os.path.join(self.programs, "lib"), os.path.join(self.out, "lib"))

    def add(self, name, program="good"):
        shutil.copy(os.path.join(self.programs, program), os.path.join(self.out, name))
        part(".dict", 'a="abc"\n"\\x00d"\n')(self.out, name)
        part(".options", OPTIONS)(self.out, name)
        seeds(SEED, b"ab", b"\n", b"")(self.out, name)

    def check(self, expect, *more):
        r = subprocess.run([CHECK, "--json", "--out", self.out, "--expect", expect, *self.bounds, *more],
                           capture_output=True, text=True, timeout=600)
        self.assertEqual(r.stderr, "")
        return r.returncode, json.loads(r.stdout)

    def failed(self, expect, *more):
        code, told = self.check(expect, *more)
        return code, {(f["target"], f["check"]) for f in told["failures"]}

    def test_a_good_build_passes(self):
        self.add("good")
        code, told = self.check("good")
        self.assertEqual((code, told["failures"], told["not_run"]), (0, [], []))
        facts = told["targets"]["good"]
        self.assertEqual((facts["seeds"], facts["entries"], facts["libraries"]), (3, 2, 1))
        self.assertGreater(facts["edges"], 40)
        for box in ("namespace", "user"):
            code, told = self.check("good", "--box", box)
            self.assertEqual((code, told["failures"]), (0 if told["box"] else 2, []))

    def test_a_good_build_of_the_other_sanitizer_passes(self):
        self.add("good_ubsan", "good_ubsan")
        self.assertEqual(self.failed("good_ubsan", "--sanitizer", "undefined"), (0, set()))
        self.add("good")
        self.assertEqual(self.failed("good,good_ubsan", "--sanitizer", "undefined"),
                         (1, {("good", "sanitizer"), ("good", "runtime")}))

    def test_each_bad_program_fails_for_its_own_reason(self):
        self.add("good")
        for name in WRONG:
            self.add(name, name)
        shutil.copy(os.path.join(self.programs, "libedges.so"), os.path.join(self.out, "lib"))
        code, found = self.failed(",".join(["good", *WRONG]))
        self.assertEqual(code, 1)
        for name, checks in WRONG.items():
            with self.subTest(name):
                self.assertEqual({c for t, c in found if t == name}, checks)
        self.assertEqual({t for t, _ in found}, {*WRONG, "lib/libedges.so"})

    def test_each_bad_part_fails_for_its_own_reason(self):
        for name, (change, _) in PARTS.items():
            self.add(name)
            change(self.out, name)
        code, told = self.check(",".join(PARTS))
        self.assertEqual(code, 1)
        for name, (_, wanted) in PARTS.items():
            with self.subTest(name):
                found = [f"{f['check']}: {f['expected']}" for f in told["failures"] if f["target"] == name]
                self.assertEqual(len(found), 1, found)
                self.assertEqual(found[0][:len(wanted)], wanted)

    def test_the_contents_of_a_build(self):
        self.add("good")
        self.add("unlisted")
        part(".txt", "the string LLVMFuzzerTestOneInput")(self.out, "stray")
        part(".dict", '"a"\n')(self.out, "orphan")
        shutil.copy("/bin/true", os.path.join(self.out, "tool"))
        shutil.copy(os.path.join(self.programs, "libedges.so"), os.path.join(self.out, "lib"))
        self.assertEqual(self.failed("good,lost"), (1, {
            ("unlisted", "targets"), ("lost", "targets"), ("stray.txt", "contents"), ("orphan.dict", "contents"),
            ("tool", "contents"), ("lib/libedges.so", "contents")}))

    def test_what_is_not_run_is_no_pass(self):
        self.add("good")
        code, told = self.check("good", "--box", "none")
        self.assertEqual((code, told["failures"], told["box"]), (2, [], None))
        self.assertEqual({n["check"] for n in told["not_run"]}, {"runs", "seeds"})

    def test_a_box_with_a_second_place_to_write_is_noticed(self):
        for form in box.FORMS:
            if box.usable_form(form):
                places = [os.path.join(self.out, d) for d in ("work", "tmp")]
                for place in places:
                    os.mkdir(place)
                os.chmod(os.path.dirname(self.out), 0o755)
                self.assertEqual(box.run_boxed(form, ["true"], *places, 20).code, 0)
                self.assertIsNone(box.run_boxed(form, ["true"], *places, 20, probes=[places[1]]))
                for place in places:
                    os.rmdir(place)

    def test_nothing_to_check(self):
        r = subprocess.run([CHECK, "--out", os.path.join(self.out, "absent")], capture_output=True, text=True)
        self.assertEqual((r.returncode, r.stdout), (2, ""))
        self.assertEqual(self.failed("good"), (1, {("good", "targets")}))

    def test_lines_for_people(self):
        self.add("good")
        no_part(".dict")(self.out, "good")
        r = subprocess.run([CHECK, "--out", self.out, "--expect", "good", *self.bounds],
                           capture_output=True, text=True)
        self.assertEqual((r.returncode, r.stderr), (1, ""))
        lines = r.stdout.splitlines()
        self.assertEqual(lines[0], "FAILED: good: dictionary: expected good.dict, actual no such file")
        self.assertRegex(lines[1], r"^sanitizer=address targets=1 failed=1 not_run=0 box=\S+ ")
        self.assertEqual(len(lines), 2)


if __name__ == "__main__":
    if not CXX:
        print("not run: clang++-19 is missing")
        sys.exit(77)
    unittest.main()
