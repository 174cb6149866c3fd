# SPDX-License-Identifier: Apache-2.0
"""assay dump, check and diff."""

import base64
import os
import unittest

from tool import ALLREDUCE, MATMUL, ToolTest, repaired


class ImageTest(ToolTest):
    def setUp(self):
        super().setUp()
        self.ok("lower", MATMUL, "-o", "m")
        self.ok("lower", ALLREDUCE, "--arch", "cayman", "-o", "a")
        self.ok("lower", ALLREDUCE, "--arch", "mariana", "-o", "b")
        with open(self.path("a", "sg00.kbin"), "rb") as stream:
            self.image = stream.read()

    def fields(self, image, *options):
        return {f["path"]: f for f in self.json("dump", "dump", image, *options)["fields"]}

    def edited(self, name, offset, data, repair=True):
        """A copy of the image with bytes at an offset replaced."""
        image = self.image[:offset] + data + self.image[offset + len(data):]
        self.write(name, repaired(image) if repair else image)
        return name


class Dump(ImageTest):
    def test_text(self):
        ran = self.ok("dump", "a/sg00.kbin")
        self.assertIn("target CAYMAN (3)", ran.out)
        for line in (r"mem_ref_set\.mem\[3\]\.name = \"gradient_in\"",
                     r"dma\[0\]\.ring_type = IN \(7\)", r"engine\[3\]\.ninstr = 3",
                     r"dma\[0\]\.ring_instances\[0\]\.desc\[0\]\.u\.to\.sizes\[0\] = 128"):
            self.assertRegex(ran.out, line)

    def test_select_and_hex(self):
        ran = self.ok("dump", "a/sg00.kbin", "--select", "mem_ref_set.mem[?].size")
        sizes = [line.split(" = ")[1] for line in ran.out_lines if ".size = " in line]
        self.assertEqual(sizes, ["128", "0", "128", "128", "128"])
        self.assertIn(128 .to_bytes(8, "little").hex(),
                      self.ok("dump", "a/sg00.kbin", "--select", "*[0].size", "--hex").out)

    def test_json(self):
        fields = self.fields("a/sg00.kbin")
        self.assertEqual(fields["target"]["value"], 3)
        self.assertEqual(fields["dma[1].ring_type"]["name"], "OUT")
        name = fields["mem_ref_set.mem[4].name"]
        self.assertEqual(base64.b64decode(name["value"]), b"gradient_out")
        self.assertEqual(name["text"], "gradient_out")
        # Every offset is where the value stands.
        size = fields["mem_ref_set.mem[0].size"]
        self.assertEqual(self.image[size["offset"]:size["offset"] + 8],
                         (128).to_bytes(8, "little"))
        hexed = self.fields("a/sg00.kbin", "--select", "target", "--hex")
        self.assertEqual((list(hexed), hexed["target"]["bytes"]), (["target"], "03000000"))
        self.assertGreater(len(self.fields("m/sg00.kbin")), 600)

    def test_damaged_but_walkable_image(self):
        bad = self.edited("bad.kbin", 65, b"\x00\x00", repair=False)
        ran = self.run_tool("dump", bad)
        self.assertEqual((ran.code, len(ran.err_lines)), (1, 1))
        self.assertRegex(ran.err, r"^refused: wrong checksum.* at bad\.kbin.*\+64 .*\(IMG-007\)")
        self.assertIn("gradient_in", ran.out)

    def test_no_image(self):
        self.write("empty", b"")
        value = self.refused("IMG-003", "dump", "empty")
        self.assertEqual(value["member"], "empty")
        self.refused("IMG-003", "dump", MATMUL)
        self.failed("absent: No such file", "dump", "absent")
        self.failed("Is a directory", "dump", ".")


class Check(ImageTest):
    def test_sound_images(self):
        ran = self.ok("check", "m/sg00.kbin", "m/sg01.kbin", "a/sg00.kbin")
        self.assertEqual(len(ran.out_lines), 3)
        self.assertEqual(ran.out_lines[0], "m/sg00.kbin: ok image_bytes=100104 crc32=51cad75c "
                                           "target=cayman subgraph=0 records=26")
        value = self.json("check", "check", "m/sg00.kbin", "m/sg01.kbin")
        self.assertEqual([i["ok"] for i in value["images"]], [True, True])
        self.assertEqual(value["images"][1]["subgraph"], 1)

    def test_finding(self):
        offset = self.fields("a/sg00.kbin")["engine[3].ninstr"]["offset"]
        bad = self.edited("bad.kbin", offset, b"\x04\0\0\0")
        ran = self.run_tool("check", bad, "a/sg00.kbin")
        self.assertEqual((ran.code, ran.err, len(ran.out_lines)), (1, "", 2), ran.out)
        self.assertRegex(ran.out_lines[0], rf"^bad\.kbin: finding IMG-022 record=engine\[3\] "
                                           rf"field=ninstr offset={offset}: .*(4.*3|3.*4)")
        self.assertRegex(ran.out_lines[1], r"^a/sg00\.kbin: ok ")
        image = self.json("check", "check", bad, code=1)["images"][0]
        self.assertEqual((image["ok"], image["walkable"], image["truncated"]), (False, True, False))
        finding, = image["findings"]
        self.assertEqual((finding["requirement"], finding["record"], finding["field"],
                          finding["offset"]), ("IMG-022", "engine[3]", "ninstr", offset))
        # The twin: the right count once more.
        self.ok("check", self.edited("good.kbin", offset, b"\x03\0\0\0"))

    def test_every_finding_is_told(self):
        fields = self.fields("a/sg00.kbin")
        image = bytearray(self.image)
        for path in ("engine[2].ninstr", "mem_ref_set.mem[1].var_id"):
            image[fields[path]["offset"]] ^= 0x40
        self.write("bad.kbin", bytes(image))  # the checksum is wrong as well
        ran = self.run_tool("check", "bad.kbin")
        self.assertEqual(ran.code, 1)
        self.assertEqual({line.split()[2] for line in ran.out_lines},
                         {"IMG-007", "IMG-022", "IMG-023"})

    def test_many_findings_are_cut(self):
        self.write("bad.kbin", self.image[:80] + bytes(b ^ 0x55 for b in self.image[80:]))
        self.write("zeros.kbin", self.image[:80] + bytes(len(self.image) - 80))
        self.write("short.kbin", self.image[:100])
        for name in ("bad.kbin", "zeros.kbin", "short.kbin"):
            ran = self.run_tool("check", name)
            self.assertEqual(ran.code, 1)
            self.assertTrue(1 <= len(ran.out_lines) <= 101, len(ran.out_lines))
            value = self.json("check", "check", name, code=1)
            self.assertFalse(value["images"][0]["walkable"])

    def test_notes_do_not_change_the_exit_code(self):
        def reserve(base_partition):
            def change(_, files):
                files["def"]["runtime_statebuffer_reservation"] = [
                    {"type": "evtaccel", "offset": 229368, "size": 8,
                     "base_partition": base_partition, "partitions": 128}]
            return change
        self.ok("lower", self.model("odd", change=reserve(1)), "-o", "o")
        self.ok("lower", self.model("even", change=reserve(0)), "-o", "e")
        ran = self.ok("check", "o/sg00.kbin")
        self.assertEqual(len(ran.out_lines), 2)
        self.assertRegex(ran.out_lines[0], r"^o/sg00\.kbin: note SBC-004 "
                                           r"record=sb_carveouts\.carveouts\[0\]: ")
        note, = self.json("check", "check", "o/sg00.kbin")["images"][0]["notes"]
        self.assertEqual(note["requirement"], "SBC-004")
        self.assertNotIn("note", self.ok("check", "e/sg00.kbin").out)

    def test_an_unreadable_image_does_not_stop_the_others(self):
        ran = self.run_tool("check", "absent", "a/sg00.kbin")
        self.assertEqual((ran.code, len(ran.out_lines)), (2, 1))
        self.assertRegex(ran.err, "^assay: absent: No such file")
        value = self.json("check", "check", "absent", "a/sg00.kbin", code=2)
        self.assertIn("No such file", value["images"][0]["error"])
        self.assertTrue(value["images"][1]["ok"])
        # Nor does a finding hide it.
        self.write("empty", b"")
        self.assertEqual(self.run_tool("check", "absent", "empty").code, 2)
        self.assertEqual(self.run_tool("check", "empty", "absent").code, 2)


class Diff(ImageTest):
    def test_equal(self):
        ran = self.ok("diff", "a/sg00.kbin", "a/sg00.kbin")
        self.assertRegex(ran.out, r"^equal: paths=\d+ differences=0 of_lower_evidence=0\n$")
        value = self.json("diff", "diff", "a/sg00.kbin", "a/sg00.kbin", "--strict")
        self.assertTrue(value["equal"])
        self.assertGreater(value["compared"], 100)

    def test_different(self):
        ran = self.run_tool("diff", "a/sg00.kbin", "b/sg00.kbin")
        self.assertEqual((ran.code, ran.err), (1, ""))
        self.assertIn("target: CAYMAN (3) | MARIANA (4)", ran.out_lines)
        self.assertRegex(ran.out_lines[-1], r"^different: paths=\d+ differences=[1-9]")
        value = self.json("diff", "diff", "a/sg00.kbin", "b/sg00.kbin", code=1)
        row, = (d for d in value["differences"] if d["path"] == "target")
        self.assertEqual((row["a"], row["b"]), ("CAYMAN (3)", "MARIANA (4)"))
        self.assertEqual(row["evidence"], "high")
        self.assertFalse(value["equal"])

    def test_one_value(self):
        offset = self.fields("a/sg00.kbin")["mem_ref_set.mem[0].size"]["offset"]
        other = self.edited("other.kbin", offset, b"\x81")
        ran = self.run_tool("diff", "a/sg00.kbin", other)
        self.assertEqual((ran.code, ran.out_lines[0]), (1, "mem_ref_set.mem[0].size: 128 | 129"))
        self.assertEqual(len(ran.out_lines), 2)

    def test_lower_evidence_counts_only_when_strict(self):
        path, field = next((p, f) for p, f in self.fields("a/sg00.kbin", "--hex").items()
                           if f.get("evidence") and f["type"] in ("u32", "u64") and "name" not in f)
        other = self.edited("other.kbin", field["offset"], bytes([field["value"] ^ 1]))
        ran = self.ok("diff", "a/sg00.kbin", other)
        self.assertRegex(ran.out, r"not counted \(--strict counts them\):\n" + path.replace(
            "[", r"\[").replace("]", r"\]"))
        strict = self.run_tool("diff", "a/sg00.kbin", other, "--strict")
        self.assertEqual((strict.code, len(strict.out_lines)), (1, 2))
        value = self.json("diff", "diff", "a/sg00.kbin", other)
        self.assertEqual((value["equal"], value["differences"]), (True, []))
        self.assertEqual(value["lower_evidence"][0]["path"], path)
        self.assertFalse(self.json("diff", "diff", "a/sg00.kbin", other, "--strict",
                                   code=1)["equal"])

    def test_damaged_images(self):
        # A wrong checksum alone: compared all the same, and told.
        bad = self.edited("bad.kbin", 64, bytes(4), repair=False)
        ran = self.run_tool("diff", "a/sg00.kbin", bad)
        self.assertEqual(ran.code, 1)
        self.assertRegex(ran.err, r"^refused: wrong checksum.* at bad\.kbin")
        self.assertRegex(ran.out, "^equal: ")
        value = self.json("diff", "diff", "a/sg00.kbin", bad, code=1)
        self.assertEqual((value["equal"], value["findings_a"]), (True, []))
        self.assertEqual(value["findings_b"][0]["requirement"], "IMG-007")
        self.write("empty", b"")
        self.refused("IMG-003", "diff", "empty", "a/sg00.kbin")
        self.assertEqual(self.refused("IMG-003", "diff", "a/sg00.kbin", "empty")["member"], "empty")
        self.failed("absent", "diff", "absent", "a/sg00.kbin")
        self.failed("B", "diff", "a/sg00.kbin")

    def test_names_are_escaped(self):
        name = "new\nline\x1b[31m"
        os.rename(self.path("a", "sg00.kbin"), self.path(name))
        self.assertEqual(self.ok("check", name).out_lines[0].split(" ")[0],
                         "new\\x0aline\\x1b[31m:")
        self.assertEqual(self.json("check", "check", name)["images"][0]["image"], name)


if __name__ == "__main__":
    unittest.main()
