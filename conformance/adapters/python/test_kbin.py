# SPDX-License-Identifier: Apache-2.0
"""Known checksums and rule edges of the Python lowering.

Run with `python3 -m unittest` in this folder.
Not the conformance suite: these tests hold this one implementation.
"""

import base64
import copy
import json
import os
import subprocess
import sys
import unittest
import zlib

from kbin import container, decode, dtypes, jsonreader, lower, protocol
from kbin.errors import Refusal, Trap, Unspecified

HERE = os.path.dirname(os.path.abspath(__file__))
PE = bytes.fromhex("c8100000" "040a1316" "00000000" "040a0000" "03000000" "04000000"
                   "20000000" "00000000" "01000000").ljust(64, b"\0")


def pseudo(head, name):
    return (bytes.fromhex(head).ljust(12, b"\0") + name).ljust(64, b"\0")


POOL = (pseudo("c1100000000000000000", b"q_gradient_in"),
        pseudo("c1100000041600000000", b"q_gradient_out"),
        pseudo("a0100000040b", b""))


def side(name, start="from"):
    return {start: name, start + "_off": 0, start + "_sizes": [128, 1],
            start + "_steps": [1, 128]}


def block(queue, source, target):
    return {"queue": queue, "id": 0, "desc": [{**side(source), **side(target, "to")}]}


def allreduce():
    """The all-reduce model: {path: bytes} of its members."""
    definition = {
        "act": "act.json", "dve": "dve.json", "pe": "pe.json", "pool": "pool.json",
        "sp": "sp.json", "replica_groups": [[]], "runtime_statebuffer_reservation": [],
        "dma_queue": {
            "q_gradient_in": {"owner": "pool", "semaphore": 10, "type": "in"},
            "q_gradient_out": {"owner": "pool", "semaphore": 11, "type": "out"}},
        "var": {
            "SB": {"type": "state-buffer", "var_id": 1},
            "gradient_in": {"type": "tmp-buf", "size": 128, "var_id": 3},
            "gradient_out": {"type": "tmp-buf", "size": 128, "var_id": 4},
            "input": {"type": "input", "size": 128, "var_id": 0},
            "output": {"type": "output", "size": 128, "var_id": 2}}}
    members = {"kelf-a.json": {"graphs": [{"definition": "sg00/def.json", "name": "sg00"}],
                               "version": "0.5", "target": "*"},
               "sg00/def.json": definition}
    for e in ("act", "dve", "pe", "sp", "pool"):
        members[f"sg00/{e}.json"] = {"dma": [], "instr": e + ".bin"}
    members["sg00/act.json"]["act_semaphore"] = 9
    members["sg00/pool.json"]["dma"] = [block("q_gradient_in", "input", "gradient_in"),
                                        block("q_gradient_out", "gradient_out", "output")]
    out = {k.encode(): json.dumps(v).encode() for k, v in members.items()}
    out.update({b"sg00/act.bin": b"", b"sg00/dve.bin": b"", b"sg00/sp.bin": b"",
                b"sg00/pe.bin": PE, b"sg00/pool.bin": b"".join(POOL)})
    return out


BASE = {"var": {"a": {"type": "input", "var_id": 0, "size": 64},
                "b": {"type": "output", "var_id": 1, "size": 64}},
        "dma_queue": {"q": {"type": "data", "owner": "sp", "queue_instances": ["i", "j"]}},
        "runtime_statebuffer_reservation": [],
        "dma": [{"id": 7, "instance_name": "i", "desc": [{"from": "a", "to": "b", "size": 64}]}]}


def fields(change=None, target=2, members=None, text=None, **options):
    """Lowers BASE as `change` leaves it and returns the image's fields."""
    doc = copy.deepcopy(BASE)
    if change:
        change(doc)
    raw = text if text is not None else json.dumps(doc).encode()
    files = {b"sg/def.json": raw}
    files.update({b"sg/" + k.encode(): v for k, v in (members or {}).items()})
    image = lower.lower_image(files, b"sg/def.json", target, **options)
    return decode.decode(image)


def put(*path_and_value):
    *path, last, value = path_and_value

    def change(doc):
        for step in path:
            doc = doc[step]
        doc[last] = value
    return change


def desc(**keys):
    return put("dma", 0, "desc", [{"from": "a", "to": "b", "size": 64, **keys}])


def cce(op, sources=1, entry=None, **keys):
    source = {"from": "a", "from_dtype": "float32", **(entry or {})}
    return desc(op=op, to_dtype="float32", from_arr=[source] * sources, **keys)


def b64(raw):
    return base64.b64encode(raw).decode()


D0 = "dma[0].ring_instances[0].desc[0]."


class Lowering(unittest.TestCase):
    def refuse(self, requirement, change=None, kind=Refusal, **more):
        with self.assertRaises(kind) as caught:
            fields(change, **more)
        self.assertEqual(caught.exception.requirement, requirement)

    def test_known_images(self):
        for arch, size, crc in ((2, 15896, 0xE076BDB4), (3, 15896, 0x47DE460B),
                                (4, 15976, 0x01ADC2BF)):
            _, images = lower.lower_members(allreduce(), arch)
            self.assertEqual((len(images[0]), zlib.crc32(images[0][80:])), (size, crc))

    def test_real_model(self):
        models = os.path.join(HERE, "..", "..", "..", "corpus", "models")
        with open(os.path.join(models, "matmul_small", "matmul_small.neff"), "rb") as f:
            _, images = lower.lower_neff(f.read(), 3, verify_digest=True)
        self.assertEqual([zlib.crc32(i[80:]) for i in images], [0x51CAD75C, 0x95922ED8])

    def test_variables(self):
        self.refuse("VAR-004", put("var", "b", "var_id", 2))
        self.refuse("VAR-005", put("var", "b", "type", "tmp-buf"))
        self.refuse("VAR-006", lambda d: d["var"].update(
            a={"type": "input", "var_id": 2, "size": 1},
            c={"type": "output", "var_id": 2, "size": 1}, b=d["var"]["b"] | {"var_id": 0}))
        for value, row in ((1 << 32, "VAR-012"), (3, "VAR-012"), (1.0, "JSN-005")):
            self.refuse(row, put("var", "a", "alignment", value))
        for value in (0, 1, 1 << 31):
            self.assertEqual(fields(put("var", "a", "alignment", value))[
                "mem_ref_set.mem[0].alignment"], value)
        self.refuse("VAR-015", put("var", "a", "dtype", "float8_e4m3fn_x4"))
        self.refuse("VAR-016", put("var", "a", "dtype", ""))
        self.assertEqual(fields(put("var", "a", "dtype", "float8_e5m2_x4"))[
            "mem_ref_set.mem[0].dtype"], b64(b"float8_e5m2_x4"))
        self.refuse("VAR-017", put("var", "a", "shape", [1] * 9))
        self.refuse("JSN-019", put("var", "c\0", {"type": "list", "var_id": 2, "list": []}))
        big = fields(put("var", "a", "size", (1 << 64) - 1))
        self.assertEqual(big["mem_ref_set.mem[0].size"], str((1 << 64) - 1))

    def test_variable_kinds(self):
        def with_var(**keys):
            return put("var", "c", {"var_id": 2, **keys})
        f = fields(with_var(type="pointer", size=8, referenced_var_id=1))
        self.assertIs(f["mem_ref_set.mem[2].u.ptr.io_ref"], True)
        self.refuse("VAR-009", with_var(type="pointer", size=4, referenced_var_id=1))
        self.refuse("VAR-008", with_var(type="pointer", size=8, referenced_var_id=3))
        self.refuse("VAR-021", with_var(type="dge-table", list=[0, 3]))
        self.assertEqual(fields(with_var(type="list", list=[0, 9]))[
            "mem_ref_set.mem[2].u.list.list[1]"], 9)
        f = fields(with_var(type="virtual", size=4, backing_variable_off=12,
                            backing_buf="shared", alignment=8))
        self.assertEqual(f["mem_ref_set.shared_scratchpad_size"], 16)
        self.assertEqual(f["mem_ref_set.mem[2].alignment"], 0)
        self.refuse("VAR-027", with_var(type="virtual", size=1,
                                        backing_variable_off=(1 << 64) - 1))
        self.refuse("VAR-026", with_var(type="virtual", size=1, backing_variable_off=0,
                                        backing_buf="other"))
        self.refuse("VAR-029", with_var(type="tmp-buf", size=1, prefix="x" * 512))
        f = fields(with_var(type="tmp-buf", size=1, pipe=3))
        self.assertEqual(f["mem_ref_set.mem[2].dtensor_md.pipe_id"], 3)

    def test_files(self):
        def load(name, data, **keys):
            return fields(put("var", "c", {"var_id": 2, "type": "file",
                                           "file_name": name, **keys}), members={name: data})
        npy = b"\x93NUMPY\x01\0\x02\0{}abcd"
        self.assertEqual(load("w.npy", npy)["mem_ref_set.mem[2].buffer"], b64(b"abcd"))
        self.assertEqual(load("w.bin", npy)["mem_ref_set.mem[2].size"], len(npy))
        self.assertIsNone(load("w.npy", npy[:12])["mem_ref_set.mem[2].buffer"])
        for bad in (npy[:11], npy[:9], b"\x93M" + npy[2:]):
            with self.assertRaisesRegex(Refusal, "CON-016"):
                load("w.npy", bad)
        with self.assertRaisesRegex(Refusal, "VAR-023"):
            load("w.bin", b"abc", size=4)

    def test_queues(self):
        def queue(**keys):
            return put("dma_queue", "r", {"type": "data", "owner": "pe", **keys})
        self.assertEqual(fields(queue(indirect_memcpy=True))["dma[1].ring_type"], 9)
        self.refuse("DMQ-009", queue(type="in", num_queues=1))
        self.refuse("DMQ-010", queue(num_queues=17))
        self.assertEqual(fields(queue(num_queues=0))["dma[1].queue_set_cnt"], 0)
        self.refuse("DMQ-012", queue(type="act_load", num_queues=2))
        self.refuse("DMQ-013", queue(type="embedding_update"))
        self.refuse("DMQ-015", queue(semaphore_set=[1] * 33))
        self.assertEqual(fields(queue(semaphore_set=[], semaphore="x"))[
            "dma[1].semaphore_cnt"], 0)
        self.refuse("DMQ-017", queue(type="dynamic"))
        self.assertEqual(fields(queue(type="dynamic"), target=3)["dma[1].flags"], 6)
        self.assertEqual(fields(queue(type="dynamic", dynamic_dma={}, pinned=True))[
            "dma[1].flags"], 5)
        self.refuse("DMQ-021", queue(queue_instances=["i"]))
        self.refuse("DMQ-004", lambda d: d["dma_queue"]["q"].pop("owner"))
        many = {f"q{i:02}": {"type": "out", "owner": "act"} for i in range(32)}
        self.refuse("DMQ-002", lambda d: d["dma_queue"].update(many))

    def test_block_routes(self):
        def blocks(*entries):
            return put("dma", [{"id": 1, "desc": [{"from": "a", "to": "b", "size": 1}], **e}
                               for e in entries])
        self.refuse("DMB-002", blocks({"queue": ""}))
        self.refuse("DMB-003", blocks({"queue": "z"}))
        self.refuse("DMB-004", blocks({"queue": "q", "instance_name": "n"},
                                      {"instance_name": "n"}))
        f = fields(blocks({"queue": 5, "instance_name": "j"}, {"queue": "q"},
                          {"queue": "q", "instance_name": "q", "function_start": "f" * 300},
                          {"instance_name": "i"}), target=3)
        self.assertEqual([f[f"dma[0].ring_instances[{i}].ndesc"] for i in range(3)], [1, 1, 2])
        self.assertEqual(f["dma[0].ring_instances[2].name"], b64(b"q"))
        self.assertEqual(f[D0 + "function_name"], b64(b"f" * 256))
        self.assertIs(f[D0 + "reset_engine_round_robin"], True)
        self.assertIsNone(f["dma[0].ring_instances[1].desc[0].function_name"])
        self.refuse("DMB-019", blocks({"queue": "q", "event": None}), Unspecified)

    def test_patterns(self):
        for n, row in ((0, "DMB-023"), (9, "DMB-023")):
            self.refuse(row, desc(to_sizes=[1] * n, to_steps=[1] * n))
        self.assertEqual(fields(desc(to_sizes=[1] * 8, to_steps=[-1] * 8))[
            D0 + "u.to.num_dims"], 8)
        self.refuse("DMB-025", desc(to_sizes=[1]))
        self.refuse("DMB-023", desc(to_sizes=[1, 0], to_steps=[1, 1]))
        self.refuse("DMB-025", desc(size=0))
        self.refuse("DMB-017", desc(op="Copy"))
        self.assertEqual(fields(desc(op="cast"))[D0 + "op"], 0)
        self.refuse("DT-007", desc(to_dtype="float4_e2m1fn"))
        self.refuse("DMB-020", desc(to="z"))

    def test_compute(self):
        scale = D0 + "u.info.u.fma.scale[0]"
        self.assertEqual(fields(cce("fma"))[scale], 0x3F800000)
        self.assertEqual(fields(cce("fma", scale=-0.0))[scale], 0x80000000)
        self.assertEqual(fields(cce("fma", scale=16777217))[scale], 0x4B800000)
        self.refuse("DMB-033", cce("fma", scale=1e39))
        self.refuse("DMB-032", cce("fma", scale_dtype="bfloat16"))
        self.refuse("DMB-028", cce("fma", 17), target=3)
        self.assertEqual(fields(cce("fma", 32), target=4)[D0 + "u.info.num_sources"], 32)
        self.refuse("DMB-028", cce("add", 33))
        self.refuse("DMB-028", cce("add", 0))
        self.refuse("DMB-026", desc(op="min", to_dtype="float32"))
        self.refuse("DMB-030", desc(op="max", to_dtype="float32", from_arr=[{"from": "a"}]))
        low = D0 + "u.info.u.min_max."
        self.assertIs(fields(cce("min", constant="x"))[low + "use_constant"], False)
        f = fields(cce("min", constant=-1, constant_dtype="int32"))
        self.assertEqual((f[low + "constant"], f[low + "constant_dtype"]), (0xFFFFFFFF, 14))
        self.refuse("DMB-035", cce("min", constant_dtype="int32"))
        self.refuse("DMB-035", cce("min", constant=1, constant_dtype="int8"))
        self.refuse("DMB-040", desc(op="transpose", transpose_op="WXYY"))
        self.refuse("DMB-039", desc(op="transpose", transpose_shape=[1, 2, 3]))

    def test_other_sections(self):
        def without(d):
            del d["runtime_statebuffer_reservation"]
        self.refuse("SBC-002", without, target=3)
        self.assertIsNone(fields(without, target=3, allow_legacy=True)["sb_carveouts"])
        self.refuse("CCM-003", put("src_target_pairs", [[[1, 2, 3]]]))
        self.assertEqual(fields(put("cc_streams", {}))["cc_streams.num_streams"], 1)
        lib = {"library": "l", "ulib_to_ucode_version": "1.2", "opcode": 133}
        def libs(**keys):
            return put("ucode_lib", [{**lib, **keys}])
        self.assertEqual(fields(libs(), members={"l": b"x"})["ucode_lib_set.libs[0].flags"], 0)
        self.refuse("UCL-005", libs(cpu_id=1), Trap, members={"l": b"x"})
        self.refuse("UCL-004", libs(ulib_to_ucode_version="1"), members={"l": b"x"})
        self.assertEqual(fields(target=4)["ucode_lib_set.num_libs"], 1)
        f = fields(put("fp8_conversion_config", {"ocp_sat": True, "emax_fp8_e4m3": 5}),
                   fp8={"emax_fp8_e4m3": 6})
        self.assertEqual((f["fp8_conv_cfg.ocp_sat"], f["fp8_conv_cfg.emax_fp8_e4m3"]), (True, 6))
        self.refuse("LOW-007", target=0)
        self.refuse("LOW-008", target=5)

    def test_tables(self):
        dve = {"dve.json": json.dumps({"dve_tables": [{"control_table": "c"}]}).encode(),
               "c": b"abc"}
        f = fields(put("dve", "dve.json"), members=dve)
        self.assertEqual(f["dve_config.control_fast_table.size"], 3)
        info = {"act_func_sets": [{"name": "s", "bkt_bin": "c", "ctrl_bin": "c",
                                   "profile_json": "p"}]}
        act = {"act.json": b'{"activation_function_sets":["s"],"act_info":"i","instr":"c"}',
               "i": json.dumps(info).encode(), "c": b"x" * 65,
               "p": b'{"profile_meta_data":[{"exp_offset":-3,"symmetry_opt_use_neg_region":1}]}'}
        f = fields(put("act", "act.json"), members=act)
        profile = "act_function_sets.sets[0].profile_data[0]."
        self.assertEqual((f[profile + "exp_offset"], f[profile + "sym_opt_use_neg_region"]), (-3, 1))
        self.assertEqual((f["engine[0].ninstr"], f["engine[0].instr"]), (1, b64(b"x" * 65)))

    def test_json(self):
        for text, row in ((b"", "JSN-002"), (b" ", "JSN-002"), (b"{}x", "JSN-002"),
                          (b"[1,]", "JSN-002"), (b"[01]", "JSN-002"), (b"[1.]", "JSN-002"),
                          (b"[NaN]", "JSN-002"), (b'["\t"]', "JSN-002"), (b'{"a"}', "JSN-002"),
                          (b'"\xff"', "JSN-001"), (b'"\xed\xa0\x80"', "JSN-001"),
                          (b"18446744073709551616", "JSN-003"),
                          (b"-9223372036854775809", "JSN-003"), (b"9" * 9999, "JSN-003"),
                          (b"1e400", "JSN-004"), (b"\xef\xbb\xbf1", "JSN-017"),
                          (b'"\\ud800x"', "JSN-018"), (b'"\\udc00"', "JSN-018"),
                          (b"[" * 1025 + b"]" * 1025, "JSN-010")):
            with self.assertRaises(Refusal) as caught:
                jsonreader.parse(text)
            self.assertEqual(caught.exception.requirement, row, text[:20])
        self.assertEqual(jsonreader.parse(b'{"a":1,"\\u0061":2}'), {"a": 1})
        self.assertEqual(jsonreader.parse(b'["\\ud83d\\ude00",-0,1e-400,0e999]'),
                         ["\U0001F600", 0, 0.0, 0.0])
        jsonreader.parse(b"[" * 1024 + b"]" * 1024)
        self.refuse("JSN-008", text=b'{"var":{"a":{},"a":{}}}')
        self.refuse("JSN-006", put("var", "a", "var_id", 1 << 32))
        self.refuse("JSN-014", put("dma_queue", "q", "pinned", 1))
        self.refuse("JSN-015", put("replica_groups", None))


class Protocol(unittest.TestCase):
    def test_dtype(self):
        got = protocol.answer({"id": 3, "op": "dtype", "to_sdma": [0, 1, 16], "cce_op": [1, 0],
                               "size": [1, 6, 0, 99], "match": [
                                   {"table": "neff_io", "text": b64(b"float32\0")},
                                   {"table": "defjson", "text": b64(b"float8_e4m3fn_x4")},
                                   {"table": "defjson", "text": b64(b"")}]})
        self.assertEqual(got, {"id": 3, "status": "ok", "match": [0, 10, "refused"],
                               "to_sdma": ["refused", 13, "refused"], "cce_op": [1, "refused"],
                               "size": [1, 4, 0, 0]})
        self.assertEqual(dtypes.size(11), 8)

    def test_process_outlives_anything(self):
        lines = [b'{"id":0,"op":"hello","protocol":1,"suite":"1.0"}', b"nonsense", b"[" * 99999,
                 b'{"id":1,"op":"lower"}', b'{"id":2,"op":"decode","image":"AA=="}', b"\xff",
                 b'{"id":3,"op":"lower","members":[],"definition":1,"target":"x"}',
                 b'{"id":4,"op":"udma"}']
        run = subprocess.run([sys.executable, os.path.join(HERE, "adapter.py")],
                             input=b"\n".join(lines) + b"\n", capture_output=True, timeout=60)
        answers = [json.loads(a) for a in run.stdout.splitlines()]
        self.assertEqual([a["id"] for a in answers], [0, None, None, 1, 2, None, 3, 4])
        self.assertEqual(answers[4]["requirement"], "IMG-003")
        self.assertEqual(answers[7]["status"], "unsupported")


if __name__ == "__main__":
    unittest.main()
