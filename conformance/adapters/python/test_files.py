# SPDX-License-Identifier: Apache-2.0
"""Rule edges of files (CON, IO) and of image decoding (IMG)."""

import gzip
import hashlib
import io
import json
import struct
import tarfile
import unittest
import zlib

from kbin import container, decode, lower
from kbin.errors import Refusal
from test_kbin import BASE, allreduce


class Files(unittest.TestCase):
    def neff(self, archive, package=2, data_size=None, major=1, features=0, digest=b"",
             header_size=1024):
        head = bytearray(1024)
        size = len(archive) if data_size is None else data_size
        struct.pack_into("<4Q", head, 0, package, header_size, size, major)
        struct.pack_into("<Q", head, 544, features)
        head[172:172 + len(digest)] = digest
        return bytes(head) + archive

    def tar(self, members, format=tarfile.PAX_FORMAT):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=format) as t:
            for name, data in members:
                info = tarfile.TarInfo(name)
                info.size = len(data)
                t.addfile(info, io.BytesIO(data))
        return out.getvalue()

    def refuse(self, requirement, data, code=None, **options):
        with self.assertRaises(Refusal) as caught:
            container.open_neff(data, **options)
        self.assertEqual(caught.exception.requirement, requirement)
        if code is not None:
            self.assertEqual(caught.exception.code, code)

    def test_header(self):
        tar = self.tar([("./a", b"1"), ("a", b"2"), ("x/wavegraph-bin.json", b"3")])
        self.assertEqual(container.open_neff(self.neff(tar)), {b"a": b"2"})
        self.assertEqual(container.open_neff(self.neff(gzip.compress(tar) + b"\0\0")), {b"a": b"2"})
        self.refuse("CON-001", bytes(1023))
        self.refuse("CON-002", self.neff(tar, header_size=1024 + len(tar), major=3), 2)
        self.refuse("CON-003", self.neff(tar, major=3, package=3), 10)
        self.refuse("CON-004", self.neff(tar, major=2, features=1 << 62), 10)
        container.open_neff(self.neff(tar, major=2, features=1 << 63 | (1 << 27) - 1))
        container.open_neff(self.neff(tar, major=1, features=1 << 62))
        self.refuse("CON-005", self.neff(tar, data_size=len(tar) + 1, package=3), 2)
        self.refuse("CON-006", self.neff(tar, package=3), 10)

    def test_digest(self):
        tar = self.tar([("a", b"1")])
        sha, md5 = hashlib.sha256(tar).digest(), hashlib.md5(tar).digest()
        swapped = struct.pack("<4I", *struct.unpack(">4I", md5))
        for package, digest in ((1, sha), (2, md5), (2, swapped + b"x" * 16)):
            container.open_neff(self.neff(tar, package, digest=digest), True)
        self.refuse("CON-010", self.neff(tar, 1, digest=md5), verify_digest=True)
        self.refuse("CON-010", self.neff(b"", header_size=0) + b"x", verify_digest=True)

    def test_archives(self):
        long = "d/" * 120 + "name"
        for form in (tarfile.PAX_FORMAT, tarfile.GNU_FORMAT):
            self.assertEqual(container.open_neff(self.neff(self.tar([(long, b"z")], form))),
                             {long.encode(): b"z"})
        tar = self.tar([("a", b"x" * 600)])
        self.assertEqual(container.open_neff(self.neff(tar[:1112]))[b"a"], b"x" * 600)
        self.refuse("CON-015", self.neff(tar[:1111]))
        self.refuse("CON-015", self.neff(b"b" + tar[1:]))
        self.refuse("CON-014", self.neff(self.tar([("a/../b", b"")])))
        packed = gzip.compress(tar)
        for bad in (packed[:-1], packed + b"x", packed[:-8] + b"\0\0\0\1" + packed[-4:]):
            self.refuse("CON-015", self.neff(bad))
        self.assertEqual(len(container.gunzip(packed + packed)), 2 * len(tar))

    def test_kelf_and_io(self):
        def model(arch=3, kelf=None, io=None, **options):
            members = {b"k.json": json.dumps(kelf).encode(), b"d/def.json": json.dumps(BASE).encode()}
            members[b"neff.json"] = json.dumps(io).encode()
            return lower.lower_members(members, arch, **options)
        graph = {"name": "g", "definition": "d/def.json"}
        kelf = {"version": "0.5", "target": "cayman", "graphs": [graph]}
        io = {"nodes": [{"name": "x", "attrs": {"func_name": "__kelf", "kelf": "k.json"},
                         "output_names": ["o"]}],
              "arg_nodes": [0], "heads": [[0, 0, 0], [0, 1]], "node_row_ptr": [0],
              "attrs": {"dltype": ["s", ["float16", "bool"]], "shape": ["s", [[2, 3], [1 << 63, 0, 8]]]}}
        got, _ = model(kelf=kelf, io=io)
        self.assertEqual(got.inputs, [{"name": b"x", "dtype": 7, "shape": [2, 3], "size": 12}])
        self.assertEqual([(t["name"], t["dtype"], t["size"]) for t in got.outputs],
                         [(b"o", 7, 12), (b"x", 0, 0)])
        for change, row in (({"version": "05"}, "CON-019"), ({"graphs": []}, "CON-020"),
                            ({"graphs": [graph, graph]}, "CON-022"), ({"target": "V3"}, "CON-023"),
                            ({"target": "v4"}, "CON-025")):
            with self.assertRaises(Refusal) as caught:
                model(kelf={**kelf, **change}, io=io)
            self.assertEqual(caught.exception.requirement, row)
        got, _ = model(2, kelf=kelf, io=io, allow_legacy=True)
        self.assertEqual(got.target, 3)
        for heads, row in (([[1, 0]], "IO-003"), ([[0, 2]], "IO-004"), ([[0]], "IO-005")):
            with self.assertRaisesRegex(Refusal, row):
                model(kelf=kelf, io={**io, "heads": heads})


class Images(unittest.TestCase):
    def setUp(self):
        self.image = lower.lower_members(allreduce(), 2)[1][0]

    def edited(self, *edits):
        data = bytearray(self.image)
        for offset, raw in edits:
            data[offset:offset + len(raw)] = raw
        struct.pack_into("<I", data, 64, zlib.crc32(data[80:]))
        return bytes(data)

    def refuse(self, requirement, data):
        with self.assertRaises(Refusal) as caught:
            decode.decode(data)
        self.assertEqual(caught.exception.requirement, requirement)

    def test_refusals(self):
        engine = 80 + 424 + 8
        first = struct.unpack_from("<Q", self.image, 32)[0]
        for row, *edits in (("IMG-003", (7, b"2")), ("IMG-003", (68, b"\1")),
                            ("IMG-004", (16, b"\0")), ("IMG-005", (24, b"\0")),
                            ("IMG-006", (32, b"\0")), ("IMG-008", (56, b"\3")),
                            ("IMG-008", (56, b"\1"), (80 + 416, b"\1")),
                            ("IMG-010", (engine - 1, b"\1")), ("IMG-012", (first + 20, b"\2")),
                            ("IMG-013", (80, struct.pack("<Q", engine + 16))),
                            ("IMG-014", (80, bytes(8))), ("IMG-015", (80 + 312, b"\1")),
                            ("IMG-017", (len(self.image) - 8, b"\0")),
                            ("IMG-019", (engine, b"\5")), ("IMG-020", (engine + 300, b"\1")),
                            ("IMG-020", (80 + 420, b"\1")), ("IMG-022", (engine + 260, b"\1"))):
            with self.subTest(row=row, edits=edits):
                self.refuse(row, self.edited(*edits))
        self.refuse("IMG-007", self.image[:90] + b"\1" + self.image[91:])
        self.refuse("IMG-003", self.image[:79])

    def test_order(self):
        a, b = self.image[80:88], self.image[88:96]
        self.refuse("IMG-016", self.edited((80, b + a)))


if __name__ == "__main__":
    unittest.main()
