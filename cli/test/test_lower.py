# SPDX-License-Identifier: Apache-2.0
"""assay lower."""

import os
import shutil
import unittest

import tool
from tool import ALLREDUCE, ALLREDUCE_IMAGES, MATMUL, ToolTest, words


class RealModels(ToolTest):
    def test_matmul(self):
        ran = self.ok("lower", MATMUL, "-o", "out")
        self.assertEqual(len(ran.out_lines), 2)
        for i, crc in enumerate(("51cad75c", "95922ed8")):
            row = words(ran.out_lines[i])
            self.assertEqual(row["name"], f"sg0{i}")
            self.assertEqual((row["image_bytes"], row["crc32"]), ("100104", crc))
            self.assertEqual(row["ninstr"], "act:5,dve:2,pe:12,pool:7,sp:3")
            self.assertEqual(row["queues"], "2")
            self.assertEqual(row["file"], f"out/sg0{i}.kbin")
        tree = self.tree("out")
        self.assertEqual(sorted(tree), ["sg00.kbin", "sg01.kbin"])
        for i, crc in enumerate(("51cad75c", "95922ed8")):
            image = tree[f"sg0{i}.kbin"]
            self.assertEqual((len(image), tool.image_crc(image)), (100104, crc))
            self.assertEqual(image[60], i)  # the header's subgraph

    def test_matmul_json(self):
        value = self.json("lower", "lower", MATMUL, "-o", "out")
        self.assertEqual(value["target"], "cayman")
        self.assertEqual([g["crc32"] for g in value["graphs"]], ["51cad75c", "95922ed8"])
        self.assertEqual(value["graphs"][0]["ninstr"],
                         {"act": 5, "dve": 2, "pe": 12, "pool": 7, "sp": 3})
        self.assertEqual(value["graphs"][1]["file"], "out/sg01.kbin")
        self.assertEqual([t["shape"] for t in value["inputs"]], [[128, 256], [256, 128]])
        self.assertEqual(value["outputs"][0]["dtype"], "FLOAT16")
        self.assertEqual(value["outputs"][0]["size"], 128 * 128 * 2)

    def test_same_bytes_each_time(self):
        self.ok("lower", MATMUL, "-o", "a")
        self.ok("lower", MATMUL, "-o", "b")
        self.assertEqual(self.tree("a"), self.tree("b"))

    def test_allreduce_for_each_architecture(self):
        for arch, (size, crc) in ALLREDUCE_IMAGES.items():
            row = words(self.ok("lower", ALLREDUCE, "--arch", arch).out)
            self.assertEqual((row["image_bytes"], row["crc32"]), (str(size), crc))
            self.assertEqual((row["variables"], row["queues"], row["descriptors"]), ("5", "2", "2"))
            self.assertEqual(row["ninstr"], "act:0,dve:0,pe:1,pool:3,sp:0")
            self.assertNotIn("file", row)

    def test_open_target_is_refused_and_says_so(self):
        value = self.refused("CON-024", "lower", ALLREDUCE)
        self.assertIn("--arch", value["text"])
        self.assertEqual((value["reason"], value["member"]), ("target-open", "kelf-a.json"))
        self.ok("lower", ALLREDUCE, "--arch", "sunda")  # the twin

    def test_other_architecture_is_refused(self):
        self.refused("CON-025", "lower", MATMUL, "--arch", "sunda")
        self.ok("lower", MATMUL, "--arch", "cayman")

    def test_packed_directory_lowers_alike(self):
        for version in ("1", "2"):
            self.ok("neff", "pack", ALLREDUCE, "-o", "a.neff", "--pkg-version", version)
            row = words(self.ok("lower", "a.neff", "--arch", "cayman", "--verify-digest").out)
            self.assertEqual(row["crc32"], ALLREDUCE_IMAGES["cayman"][1])


class LoneDefinition(ToolTest):
    def test_with_its_neighbours(self):
        definition = os.path.join(ALLREDUCE, "sg00", "def.json")
        for arch, (size, crc) in ALLREDUCE_IMAGES.items():
            row = words(self.ok("lower", definition, "--arch", arch, "-o", "out").out)
            self.assertEqual((row["name"], row["image_bytes"], row["crc32"]),
                             ("sg00", str(size), crc))
        value = self.json("lower", "lower", definition, "--arch", "cayman")
        self.assertEqual((value["target"], value["inputs"]), ("cayman", []))

    def test_from_its_own_directory(self):
        shutil.copytree(os.path.join(ALLREDUCE, "sg00"), self.path("a graph"))
        ran = self.ok("lower", "def.json", "--arch", "cayman", "-o", "../out",
                      cwd=self.path("a graph"))
        self.assertEqual(words(ran.out)["name"], "a\\x20graph")
        self.assertEqual(list(self.tree("out")), ["a graph.kbin"])

    def test_through_a_link(self):
        shutil.copytree(os.path.join(ALLREDUCE, "sg00"), self.path("g"))
        os.rename(self.path("g", "def.json"), self.path("elsewhere.json"))
        os.symlink("../elsewhere.json", self.path("g", "def.json"))
        row = words(self.ok("lower", "g/def.json", "--arch", "cayman").out)
        self.assertEqual(row["crc32"], ALLREDUCE_IMAGES["cayman"][1])

    def test_needs_an_architecture(self):
        definition = os.path.join(ALLREDUCE, "sg00", "def.json")
        value = self.refused("CON-024", "lower", definition)
        self.assertIn("--arch", value["text"])


def break_second(i, files):
    if i == 1:
        del files["def"]["var"]["output"]["size"]


class Files(ToolTest):
    def test_refusal_leaves_no_file_and_no_directory(self):
        bad = self.model("bad", ("one", "two"), break_second)
        value = self.refused("VAR-007", "lower", bad, "-o", "new/deep")
        self.assertEqual((value["member"], value["pointer"]), ("1/def.json", "/var/output"))
        self.assertFalse(os.path.exists(self.path("new")))
        os.mkdir(self.path("old"))
        self.write("old/one.kbin", b"mine")
        self.refused("VAR-007", "lower", bad, "-o", "old")
        self.assertEqual(self.tree("old"), {"one.kbin": b"mine"})
        # The twin: the same with the fault mended.
        good = self.model("good", ("one", "two"))
        self.ok("lower", good, "-o", "new/deep")
        self.assertEqual(sorted(self.tree("new/deep")), ["one.kbin", "two.kbin"])

    def test_existing_files_are_replaced(self):
        self.write("out/sg00.kbin", b"old")
        self.write("out/other", b"kept")
        self.ok("lower", MATMUL, "-o", "out/")
        tree = self.tree("out")
        self.assertEqual(sorted(tree), ["other", "sg00.kbin", "sg01.kbin"])
        self.assertEqual(len(tree["sg00.kbin"]), 100104)

    def test_names_that_are_no_file_names(self):
        names = ["sg01", "..", "a/b", "bell\a", "x" * 201, "", "x" * 200, "ok name", ".",
                 "\u202etxt.exe", "sg02-1", "é"]
        ran = self.ok("lower", self.model("m", names), "-o", "out")
        self.assertEqual(sorted(self.tree("out")), sorted(
            name + ".kbin" for name in
            ["sg01", "sg01-1", "sg02", "sg03", "sg04", "sg05", "x" * 200, "ok name", "sg08", "sg09",
             "sg02-1", "é"]))
        self.assertEqual(sorted(os.listdir(self.dir)), ["m", "out"])
        rows = [words(line) for line in ran.out_lines]
        self.assertEqual(rows[3]["name"], "bell\\x07")
        self.assertEqual(rows[9]["name"], "\\xe2\\x80\\xaetxt.exe")
        self.assertEqual(rows[5]["name"], "")
        value = self.json("lower", "lower", self.path("m"))
        self.assertEqual([g["name"] for g in value["graphs"]], names)

    def test_names_given_for_others_are_not_taken(self):
        names = ["a/a", "a/b", "sg00", "sg00-1", "sg01"]
        self.ok("lower", self.model("m", names), "-o", "out")
        self.assertEqual(sorted(self.tree("out")), ["sg00-1.kbin", "sg00-2.kbin", "sg00.kbin",
                                                    "sg01-1.kbin", "sg01.kbin"])

    def test_output_that_cannot_be(self):
        self.write("file", b"x")
        self.failed("file.*Not a directory", "lower", MATMUL, "-o", "file")
        self.failed("Not a directory", "lower", MATMUL, "-o", "file/below")
        os.makedirs(self.path("out", "sg01.kbin"))
        self.failed("no regular file", "lower", MATMUL, "-o", "out")
        self.assertEqual(self.tree("out"), {"sg01.kbin": None})

    def test_input_that_cannot_be_read(self):
        for name in ("absent.neff", "absent.json", "absent/def.json"):
            self.failed(f"{name}: No such file", "lower", name, "--arch", "cayman")

    def test_input_from_a_pipe(self):
        with open(MATMUL, "rb") as stream:
            ran = self.ok("lower", "/dev/stdin", input=stream.read(), stdin=None)
        self.assertEqual(words(ran.out_lines[0])["crc32"], "51cad75c")


def add_signal(_, files):
    files["pool"]["dma"][0]["semaphore"] = {"x": 1}
    files["pool"]["dma"][1]["event"] = 3


class Options(ToolTest):
    def test_signals_are_unspecified(self):
        plain = words(self.ok("lower", self.model("plain")).out)
        model = self.model("signals", change=add_signal)
        value = self.refused("DMB-019", "lower", model, "-o", "out", code=3)
        self.assertEqual((value["outcome"], value["member"]), ("unspecified", "0/pool.json"))
        self.assertFalse(os.path.exists(self.path("out")))
        ran = self.run_tool("lower", model, "-o", "out", "--assume-no-signals")
        self.assertEqual(ran.code, 0)
        self.assertEqual(ran.err_lines, [
            "assumed: no signals at 0/pool.json/dma/0/semaphore (DMB-019)",
            "assumed: no signals at 0/pool.json/dma/1/event (DMB-019)"])
        row = words(ran.out)
        self.assertEqual((row["assumed"], row["crc32"]), ("2", plain["crc32"]))
        self.assertNotIn("assumed", plain)
        value = self.json("lower", "lower", model, "--assume-no-signals")
        self.assertEqual([a["pointer"] for a in value["graphs"][0]["assumed"]],
                         ["/dma/0/semaphore", "/dma/1/event"])

    def test_bounds(self):
        expanded = sum(len(b) for b in self.members(MATMUL).values())
        self.refused("limit:expanded-bytes", "lower", MATMUL, "--max-expanded-bytes", "10K")
        self.refused("limit:expanded-bytes", "lower", MATMUL, "--max-expanded-bytes",
                     str(expanded - 1))
        self.ok("lower", MATMUL, "--max-expanded-bytes", str(expanded))
        self.ok("lower", MATMUL, "--max-expanded-bytes", "1G")
        value = self.refused("limit:members", "lower", MATMUL, "--max-members", "3")
        self.assertEqual(value["status"], "NRT_RESOURCE")
        self.refused("limit:image-bytes", "lower", MATMUL, "--max-image-bytes", "97K")
        self.ok("lower", MATMUL, "--max-image-bytes", "1M")
        for bad in ("4 parsecs", "", "G", "-1", "18446744073709551616", "16777216T", "1.5G"):
            self.failed("--max-image-bytes: (a size|18446744073709551616 is out of range)", "lower", MATMUL, "--max-image-bytes", bad)
        for good in ("18446744073709551615", "16777215T", "0x100000", "1g"):
            self.ok("lower", MATMUL, "--max-image-bytes", good)

    def members(self, neff):
        self.ok("neff", "unpack", neff, "-o", "members")
        return {k: v for k, v in self.tree("members").items() if v is not None}

    def test_fp8(self):
        base = words(self.ok("lower", ALLREDUCE, "--arch", "cayman").out)["crc32"]
        keys = ("fp8_range_extension=true", "emax_fp8_e4m3=4294967295", "emax_fp8_e5m2=1",
                "ocp_sat=true", "fp8_sis=true", "fp8_sns=true")
        seen = {base}
        for key in keys:
            row = words(self.ok("lower", ALLREDUCE, "--arch", "cayman", "--fp8", key).out)
            seen.add(row["crc32"])
        self.assertEqual(len(seen), 7)
        together = [words(self.ok("lower", "--arch", "cayman", *args).out)["crc32"] for args in (
            (ALLREDUCE, "--fp8", keys[0], keys[3]), ("--fp8", keys[0], keys[3], ALLREDUCE),
            ("--fp8", keys[3], ALLREDUCE, "--fp8", keys[0]),
            (ALLREDUCE, "--fp8=ocp_sat=false", "--fp8=" + keys[0], "--fp8=" + keys[3]))]
        self.assertEqual(len(set(together)), 1)
        self.assertNotIn(together[0], seen)

    def test_fp8_that_is_none(self):
        for bad in ("ocp_sat", "ocp_sat=1", "ocp_sat=", "emax_fp8_e4m3=4294967296",
                    "emax_fp8_e4m3=-1", "emax_fp8_e4m3=1x", "sis=true"):
            self.failed("--fp8", "lower", ALLREDUCE, "--arch", "cayman", "--fp8", bad)

    def test_digest(self):
        with open(MATMUL, "rb") as stream:
            neff = bytearray(stream.read())
        neff[172] ^= 1
        self.write("bad.neff", bytes(neff))
        self.refused("CON-010", "lower", "bad.neff", "--verify-digest")
        self.ok("lower", "bad.neff")
        self.ok("lower", MATMUL, "--verify-digest")

    def test_usage(self):
        self.failed("INPUT", "lower")
        self.failed("--arch", "lower", MATMUL, "--arch", "tpu")
        self.failed("a directory is expected", "lower", MATMUL, "-o", "")
        self.failed("one INPUT", "lower", MATMUL, ALLREDUCE)
        self.failed("--nonsense", "lower", MATMUL, "--nonsense")


if __name__ == "__main__":
    unittest.main()
