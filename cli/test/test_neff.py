# SPDX-License-Identifier: Apache-2.0
"""assay neff ls, header, unpack and pack."""

import hashlib
import io
import os
import shutil
import struct
import tarfile
import unittest

from tool import ALLREDUCE, MATMUL, ToolTest


def tar_of(entries):
    """An archive of (name, bytes) or (name, link target, type) entries, in this order."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for entry in entries:
            info = tarfile.TarInfo(entry[0])
            if len(entry) == 3:
                info.linkname, info.type = entry[1], entry[2]
                archive.addfile(info)
            else:
                info.size = len(entry[1])
                archive.addfile(info, io.BytesIO(entry[1]))
    return stream.getvalue()


def neff_of(archive):
    header = bytearray(1024)
    struct.pack_into("<QQQQQ", header, 0, 1, 1024, len(archive), 2, 0)
    header[172:204] = hashlib.sha256(archive).digest()
    return bytes(header) + archive


class Show(ToolTest):
    def test_ls(self):
        ran = self.ok("neff", "ls", MATMUL)
        rows = dict(reversed(line.split()) for line in ran.out_lines)
        self.assertEqual(rows["sg00/PE.bin"], "768")
        self.assertEqual(len(rows), 72)
        value = self.json("neff-ls", "neff", "ls", MATMUL)
        self.assertEqual({m["path"]: str(m["bytes"]) for m in value["members"]}, rows)
        self.assertEqual(value["bytes"], sum(int(n) for n in rows.values()))
        self.refused("limit:members", "neff", "ls", MATMUL, "--max-members", "71")
        self.ok("neff", "ls", MATMUL, "--max-members", "72")

    def test_ls_shows_any_name_on_one_line(self):
        name = b"caf\xc3\xa9\n\x1b[2J\xff"
        self.write("odd.neff", neff_of(tar_of([(os.fsdecode(name), b"abc")])))
        ran = self.ok("neff", "ls", "odd.neff")
        self.assertEqual(ran.out, "           3 café\\x0a\\x1b[2J\\xff\n")
        member, = self.json("neff-ls", "neff", "ls", "odd.neff")["members"]
        self.assertEqual(member["path"], "café\n\x1b[2J\ufffd")
        self.assertEqual(bytes.fromhex(member["path_hex"]), name)

    def test_header(self):
        ran = self.ok("neff", "header", MATMUL)
        rows = {line.split()[1]: line.split(None, 2) for line in ran.out_lines[:-1]}
        self.assertEqual(rows["pkg_version"], ["0", "pkg_version", "2"])
        self.assertEqual(rows["name"], ["220", "name", '"file.neff"'])
        self.assertEqual(rows["feature_bits"][2], "0x209c00")
        self.assertEqual(ran.out_lines[-1], "archive of 61440 bytes, digest matches")
        value = self.json("neff-header", "neff", "header", MATMUL)
        self.assertEqual((value["header"]["vnc_size"], value["header"]["name"]), (2, "file.neff"))
        self.assertEqual((value["archive_bytes"], value["digest"]), (61440, "matches"))

    def test_header_with_another_digest(self):
        with open(MATMUL, "rb") as stream:
            neff = bytearray(stream.read())
        neff[2000] ^= 1
        self.write("a.neff", bytes(neff))
        self.assertIn("digest differs", self.ok("neff", "header", "a.neff").out)
        empty = self.write("empty.neff", neff_of(b"") + b"\0")
        self.assertEqual(self.json("neff-header", "neff", "header", empty)["digest"],
                         "empty archive")

    def test_refused_header_is_shown(self):
        with open(MATMUL, "rb") as stream:
            neff = bytearray(stream.read())
        struct.pack_into("<Q", neff, 544, 1 << 27)  # the first unsupported feature bit
        self.write("bad.neff", bytes(neff))
        ran = self.run_tool("neff", "header", "bad.neff")
        self.assertEqual((ran.code, len(ran.err_lines)), (1, 1))
        self.assertRegex(ran.err, r"^refused: .*\(CON-004\)$")
        self.assertIn("0x8000000", ran.out)
        self.assertNotIn("digest", ran.out)
        value = self.json("neff-header", "neff", "header", "bad.neff", code=1)
        self.assertEqual(value["refused"]["status"], "NRT_UNSUPPORTED_NEFF_VERSION")
        self.assertEqual((value["header"]["feature_bits"], value["digest"]), (1 << 27, None))
        struct.pack_into("<Q", neff, 544, 1 << 26)  # the twin: the last supported one
        self.write("good.neff", bytes(neff))
        self.ok("neff", "header", "good.neff")

    def test_too_short(self):
        self.write("short.neff", bytes(1023))
        self.refused("CON-001", "neff", "header", "short.neff")
        self.refused("CON-001", "neff", "ls", "short.neff")
        self.refused("CON-001", "neff", "unpack", "short.neff", "-o", "out")
        self.failed("absent.neff", "neff", "header", "absent.neff")

    def test_integers_beyond_a_double(self):
        neff = bytearray(neff_of(tar_of([("a", b"")])))
        struct.pack_into("<Q", neff, 32, 2**64 - 1)
        self.write("a.neff", bytes(neff))
        header = self.json("neff-header", "neff", "header", "a.neff")["header"]
        self.assertEqual(header["neff_version_minor"], "18446744073709551615")


class UnpackAndPack(ToolTest):
    def test_round_trip(self):
        ran = self.ok("neff", "unpack", MATMUL, "-o", "deep/model")
        self.assertRegex(ran.out, r"^directory=deep/model files=72 bytes=\d+\n$")
        members = self.tree("deep/model")
        for version in ("1", "2"):
            ran = self.ok("neff", "pack", "deep/model", "-o", "a.neff", "--pkg-version", version,
                          "--features", "0x209c00", "--name", "file.neff")
            self.assertRegex(ran.out, r"^file=a\.neff members=72 bytes=\d+\n$")
            header = self.json("neff-header", "neff", "header", "a.neff")
            self.assertEqual(header["header"]["pkg_version"], int(version))
            self.assertEqual(header["header"]["feature_bits"], 0x209c00)
            self.assertEqual(header["header"]["name"], "file.neff")
            self.assertEqual(header["digest"], "matches")
            again = f"again{version}"
            self.ok("neff", "unpack", "a.neff", "-o", again, "--verify-digest")
            self.assertEqual(self.tree(again), members)
            lowered = self.ok("lower", "a.neff", "--verify-digest")
            self.assertIn("crc32=51cad75c", lowered.out_lines[0])

    def test_packing_is_deterministic(self):
        shutil.copytree(ALLREDUCE, self.path("copy"))
        os.utime(self.path("copy", "neff.json"), (1, 1))
        os.chmod(self.path("copy", "neff.json"), 0o720)
        self.ok("neff", "pack", ALLREDUCE, "-o", "a.neff")
        self.ok("neff", "pack", "copy", "-o", "b.neff")
        with open(self.path("a.neff"), "rb") as a, open(self.path("b.neff"), "rb") as b:
            self.assertEqual(a.read(), b.read())

    def test_json(self):
        value = self.json("neff-pack", "neff", "pack", ALLREDUCE, "-o", "a.neff")
        self.assertEqual((value["members"], value["bytes"]),
                         (13, os.path.getsize(self.path("a.neff"))))
        value = self.json("neff-unpack", "neff", "unpack", "a.neff", "-o", "x")
        self.assertEqual((value["directory"], value["files"]), ("x", 13))

    def test_options_of_pack(self):
        self.ok("neff", "pack", ALLREDUCE, "-o", "a.neff", "--neff-version", "1.7")
        header = self.json("neff-header", "neff", "header", "a.neff")["header"]
        self.assertEqual((header["neff_version_major"], header["neff_version_minor"]), (1, 7))
        for bad in (("--neff-version", "2"), ("--neff-version", "2."), ("--neff-version", "a.b"),
                    ("--pkg-version", "3"), ("--features", "-1"), ("--features", "zz"),
                    ("--features", "18446744073709551616"), ("--max-members", "-1")):
            self.failed(bad[0], "neff", "pack", ALLREDUCE, "-o", "b.neff", *bad)
        self.refused("limit:members", "neff", "pack", ALLREDUCE, "-o", "b.neff", "--max-members",
                     "12")
        self.assertEqual(os.listdir(self.dir), ["a.neff"])

    def test_pack_to_what_is_no_place(self):
        self.failed("No such file", "neff", "pack", "absent", "-o", "a.neff")
        self.failed("file's name", "neff", "pack", ALLREDUCE, "-o", "somewhere/")
        self.failed("no regular file", "neff", "pack", ALLREDUCE, "-o", "/dev/null")
        self.assertTrue(os.path.exists("/dev/null") and not os.path.isfile("/dev/null"))

    def test_links_are_left_out_by_pack(self):
        shutil.copytree(ALLREDUCE, self.path("m"))
        os.symlink("/etc/hostname", self.path("m", "link"))
        os.symlink("/etc", self.path("m", "folder"))
        self.assertIn("members=13", self.ok("neff", "pack", "m", "-o", "a.neff").out)


class UnpackSafety(ToolTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("outside"))
        self.write("outside/victim", b"untouched")

    def unharmed(self):
        self.assertEqual(self.tree("outside"), {"victim": b"untouched"})

    def test_paths_that_leave(self):
        for path in ("../outside/victim", "a/../../outside/victim", "/etc/assay-test", "..",
                     "./../outside/new", "././../outside/new", "a/.."):
            self.write("bad.neff", neff_of(tar_of([("fine", b"x"), (path, b"evil")])))
            self.refused("CON-014", "neff", "unpack", "bad.neff", "-o", "out")
            self.assertFalse(os.path.exists(self.path("out")), path)
            self.unharmed()
        self.write("good.neff", neff_of(tar_of([("fine", b"x"), ("a..b/..c", b"y")])))
        self.ok("neff", "unpack", "good.neff", "-o", "out")
        self.assertEqual(self.tree("out"), {"fine": b"x", "a..b": None, "a..b/..c": b"y"})

    def test_links_inside_are_not_followed(self):
        self.write("bad.neff", neff_of(tar_of([
            ("link", "../outside", tarfile.SYMTYPE), ("link/victim", b"evil"),
            ("hard", "../outside/victim", tarfile.LNKTYPE), ("device", "", tarfile.CHRTYPE)])))
        self.ok("neff", "unpack", "bad.neff", "-o", "out")
        self.assertEqual(self.tree("out"), {"link": None, "link/victim": b"evil"})
        self.assertFalse(os.path.islink(self.path("out", "link")))
        self.unharmed()

    def test_links_planted_before(self):
        self.write("a.neff", neff_of(tar_of([("sub/victim", b"evil")])))
        os.mkdir(self.path("out"))
        os.symlink("../outside", self.path("out", "sub"))
        self.failed("out: is not empty", "neff", "unpack", "a.neff", "-o", "out")
        self.assertEqual(os.readlink(self.path("out", "sub")), "../outside")
        self.unharmed()
        os.unlink(self.path("out", "sub"))
        self.ok("neff", "unpack", "a.neff", "-o", "out")

    def test_names_that_no_file_can_have(self):
        for path in ("a//b", "a/./b", "nul\0name"):
            self.write("bad.neff", neff_of(tar_of([("fine", b"x"), (path, b"evil")])))
            ran = self.run_tool("neff", "unpack", "bad.neff", "-o", "out")
            if ran.code == 0:  # the archive's own reader may have mended or cut the name
                self.assertNotIn(path, self.tree("out"))
                shutil.rmtree(self.path("out"))
            else:
                self.assertEqual(ran.code, 1, ran.err)
                self.assertFalse(os.path.exists(self.path("out")))

    def test_what_fails_half_way_is_removed(self):
        # A file and a folder of one name; a name longer than any file's.
        for path in ("a/b", "z" * 256):
            self.write("bad.neff", neff_of(tar_of([("a", b"x"), ("0/1/2", b"y"), (path, b"z")])))
            self.failed("Not a directory|File exists|too long", "neff", "unpack", "bad.neff", "-o",
                        "new/out")
            self.assertFalse(os.path.exists(self.path("new")))
            os.mkdir(self.path("there"))
            self.failed("there/", "neff", "unpack", "bad.neff", "-o", "there")
            self.assertEqual(self.tree("there"), {})
            os.rmdir(self.path("there"))

    def test_bounds(self):
        self.refused("limit:expanded-bytes", "neff", "unpack", MATMUL, "-o", "out",
                     "--max-expanded-bytes", "1K")
        self.assertFalse(os.path.exists(self.path("out")))
        self.failed("--output", "neff", "unpack", MATMUL)


if __name__ == "__main__":
    unittest.main()
