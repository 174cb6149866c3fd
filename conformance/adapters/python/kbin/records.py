# SPDX-License-Identifier: Apache-2.0
"""The walk over an image's records: per-record checks and field values.

One method per record kind, slots in ascending order, since the order in which
records are met is itself checked (IMG-016). The frame is decode.py's.
"""

import base64
import struct

from . import layout, tables, tree
from .tables import (FMA, MAX, MIN, MR_BUFFER, MR_LIST, MR_PTR,
                     MR_PTR_TABLE, MR_REMOTE, MR_VIRTUAL, TRANSPOSE)

SAFE_INTEGER = 1 << 53
MEM_UNION = {MR_PTR: "mem.ptr", MR_VIRTUAL: "mem.virtual", MR_LIST: "mem.list",
             MR_PTR_TABLE: "mem.list", MR_REMOTE: "mem.remote"}


def b64(raw):
    return base64.b64encode(raw).decode("ascii")


def plain(value):
    """Integers that a double cannot hold travel as decimal strings."""
    return str(value) if abs(value) > SAFE_INTEGER else value


class Walker:
    def __init__(self, image):
        self.image = image
        self.data = image.data
        self.fields = {}

    # -- generic parts ----------------------------------------------------

    def fail(self, reason, requirement, at):
        self.image.fail(reason, requirement, at)

    def zero(self, start, stop):
        if self.data.count(0, start, stop) != stop - start:
            self.fail("not-zero", "IMG-020", start)

    def get(self, base, kind, field):
        return layout.read(self.data, base, kind, field)

    def scalars(self, base, kind, path, used=None):
        """All fields but pointers and embedded records; padding is zero.

        `used` gives, for an array field, how many of its slots are in use.
        """
        record, used = layout.STRUCTS[kind], used or {}
        for start, stop in record.padding:
            self.zero(base + start, base + stop)
        for field in record.fields.values():
            at = base + field.offset
            if field.type == "char":
                self.fields[path + field.name] = b64(self.chars(at, field.count))
            elif field.type == "u8" and field.count > 1:
                # Bytes and no text: one value, NULs and all.
                self.fields[path + field.name] = b64(self.data[at:at + field.count])
            elif field.type not in ("ptr", "struct"):
                n = used.get(field.name, field.count)
                values = struct.unpack_from(f"<{n}{field.code[1:]}", self.data, at)
                self.zero(at + n * field.width, at + field.count * field.width)
                for i, value in enumerate(values):
                    self.check_value(field, value, at)
                    name = field.name if field.count == 1 else f"{field.name}[{i}]"
                    self.fields[path + name] = (
                        bool(value) if field.type == "bool" else plain(value))

    def check_value(self, field, value, at):
        if field.enum is not None and value not in tables.ENUMS[field.enum]:
            self.fail("enum-value", "IMG-019", at)
        if field.type == "bool" and value > 1:
            self.fail("bool-value", "IMG-019", at)

    def chars(self, at, size):
        raw = self.data[at:at + size]
        end = raw.find(b"\0")
        if end < 0:
            self.fail("string-without-nul", "IMG-018", at)
        self.zero(at + end, at + size)
        return raw[:end]

    def one(self, base, kind, field, target, path, index=0, required=None):
        """The record behind a card-one pointer; NULL may be a refusal."""
        at = layout.slot(base, kind, field, index)
        entry = self.image.follow(at, target)
        if entry is None:
            if required:
                self.fail("null-pointer", required, at)
            self.fields[path] = None
        return entry

    def counted(self, at, target, count, element, path):
        """The record of `count` elements behind a slot, None when empty."""
        entry = self.image.follow(at, target)
        if (entry is None) != (count == 0):
            self.fail("count-and-pointer", "IMG-015", at)
        if entry is None:
            self.fields[path] = None
        else:
            self.sized(entry, count * element)
        return entry

    def sized(self, entry, size):
        if entry.size != size:
            self.fail("record-size", "IMG-011", entry.offset)

    def blob(self, at, size, path):
        entry = self.counted(at, tree.BYTES, size, 1, path)
        if entry is not None:
            self.fields[path] = b64(self.data[entry.offset:entry.offset + size])

    def string(self, entry, path):
        raw = self.data[entry.offset:entry.offset + entry.size]
        if raw.find(b"\0") != entry.size - 1:
            self.fail("string", "IMG-018", entry.offset)
        self.fields[path] = b64(raw[:-1])

    def numbers(self, at, count, path):
        entry = self.counted(at, tree.U32S, count, 4, path)
        if entry is not None:
            values = struct.unpack_from(f"<{count}I", self.data, entry.offset)
            for i, value in enumerate(values):
                self.fields[f"{path}[{i}]"] = value

    def elements(self, base, kind, pointer, counter, target, element, path):
        """Base offsets and paths of the records of an owned array."""
        count = self.get(base, kind, counter)
        at = layout.slot(base, kind, pointer)
        entry = self.counted(at, target, count, layout.size_of(element), path + pointer)
        for i in range(count):
            yield (entry.offset + layout.size_of(element) * i, f"{path}{pointer}[{i}].")

    # -- records ----------------------------------------------------------

    def root(self, entry):
        base, kind = entry.offset, "kbin_t"
        self.scalars(base, kind, "")
        self.scalars(base + layout.FP8_CFG, "kbin_fp8_conv_cfg_t", "fp8_conv_cfg.")
        for i in range(5):
            path = f"engine[{i}]"
            self.engine(self.one(base, kind, "engine", tree.ENGINE, path, i, "IMG-014"), path)
        last = True
        for i in range(32):
            path = f"dma[{i}]"
            queue = self.one(base, kind, "dma", tree.DMA, path, i)
            if queue is not None:
                if not last:
                    self.fail("dma-slot-order", "IMG-024",
                              layout.slot(base, kind, "dma", i))
                self.queue(queue, path + ".")
            last = queue is not None
        self.mem_ref_set(self.one(base, kind, "mem_ref_set", tree.MEM_SET,
                                  "mem_ref_set", 0, "IMG-014"))
        self.act_sets(base)
        dve = self.one(base, kind, "dve_config", tree.DVE, "dve_config")
        if dve is not None:
            self.dve(dve)
        carveouts = self.one(base, kind, "sb_carveouts", tree.CARVEOUTS, "sb_carveouts")
        if carveouts is not None:
            self.carveouts(carveouts)
        self.groups(base, kind, "replica_groups.groups", "replica_groups.num_groups", "")
        self.pair_sets(base)
        self.libraries(base)

    def engine(self, entry, path):
        base = self.at_least(entry, 320)
        self.scalars(base, "kbin_engine_t", path + ".")
        if self.fields[path + ".ninstr"] != (entry.size - 320) >> 6:
            self.fail("ninstr", "IMG-022", base + 260)
        self.fields[path + ".instr"] = b64(self.data[base + 320:base + entry.size])

    def at_least(self, entry, size):
        """A header must be whole before its counts are read."""
        if entry.size < size:
            self.fail("record-size", "IMG-011", entry.offset)
        return entry.offset

    def queue(self, entry, path):
        base, kind = self.at_least(entry, 296), "kbin_dma_t"
        used = {}
        for count, slots in (("semaphore_cnt", "semaphores"),
                             ("pseudo_serialization_semaphore_cnt",
                              "pseudo_serialization_semaphores")):
            used[slots] = self.get(base, kind, count)
            if used[slots] > 32:
                self.fail("semaphore-count", "IMG-021", base)
        instances = self.get(base, kind, "ring_instance_count")
        self.sized(entry, 296 + 8 * instances)
        self.scalars(base, kind, path, used)
        for i in range(instances):
            at = base + 296 + 8 * i
            instance = self.image.follow(at, tree.INSTANCE)
            if instance is None:
                self.fail("null-pointer", "IMG-014", at)
            self.instance(instance, f"{path}ring_instances[{i}].")

    def instance(self, entry, path):
        base, kind = self.at_least(entry, 264), "kbin_dma_ring_instance_t"
        count = self.get(base, kind, "ndesc")
        self.sized(entry, 264 + 5456 * count)
        self.scalars(base, kind, path)
        for i in range(count):
            self.descriptor(base + 264 + 5456 * i, f"{path}desc[{i}].")

    def descriptor(self, base, path):
        kind = "kbin_dma_desc_t"
        self.scalars(base, kind, path)
        if self.fields[path + "desc_type"] != 0:
            self.fail("desc-type", "IMG-025", base)
        op = self.fields[path + "op"]
        info, sources = base + layout.DESC_INFO, 1
        if op in tables.CCE_OPS:
            sources = self.get(info, "kbin_dma_desc_cce_info_t", "num_sources")
            if not 1 <= sources <= 32:
                self.fail("source-count", "IMG-021", info)
        self.pattern(base + layout.DESC_TO, path + "u.to.")
        for i in range(sources):
            self.pattern(base + layout.DESC_FROM + layout.PATTERN_BYTES * i,
                         f"{path}u.from[{i}].")
        self.zero(base + layout.DESC_FROM + layout.PATTERN_BYTES * sources,
                  base + layout.DESC_FROM + layout.PATTERN_BYTES * 32)
        self.info(op, info, sources, path + "u.info.")
        name = self.one(base, kind, "function_name", tree.STRING, path + "function_name")
        if name is not None:
            self.string(name, path + "function_name")

    def pattern(self, base, path):
        kind = "kbin_dma_desc_info_t"
        dims = self.get(base, kind, "num_dims")
        if not 1 <= dims <= 8:
            self.fail("dimension-count", "IMG-021", base + 16)
        self.scalars(base, kind, path, {"steps": dims, "sizes": dims})

    def info(self, op, base, sources, path):
        if op == TRANSPOSE:
            self.scalars(base, "kbin_dma_desc_transpose_info_t", path)
        elif op in tables.CCE_OPS:
            self.scalars(base, "kbin_dma_desc_cce_info_t", path)
            member = {FMA: "cce.fma", MIN: "cce.min_max", MAX: "cce.min_max"}
            self.scalars(base, member.get(op, "cce.add"), path, {"u.fma.scale": sources})
        else:
            # COPY, and INVALID, which has no member of its own.
            self.zero(base, base + layout.INFO_BYTES)

    def mem_ref_set(self, entry):
        base, kind = self.at_least(entry, 24), "kbin_mem_ref_set_t"
        count = self.get(base, kind, "nmem")
        self.sized(entry, 24 + 152 * count)
        self.scalars(base, kind, "mem_ref_set.")
        for i in range(count):
            self.mem_ref(base + 24 + 152 * i, i, f"mem_ref_set.mem[{i}].")

    def mem_ref(self, base, index, path):
        kind = "kbin_mem_ref"
        self.scalars(base, kind, path)
        if self.fields[path + "var_id"] != index:
            self.fail("var-id", "IMG-023", base + 32)
        mr_type = self.fields[path + "mr_type"]
        union = MEM_UNION.get(mr_type, "mem.none")
        self.scalars(base, union, path)
        name = self.one(base, kind, "name", tree.STRING, path + "name", 0, "IMG-014")
        self.string(name, path + "name")
        debug = self.one(base, kind, "dtensor_md", tree.DEBUG, path + "dtensor_md")
        if debug is not None:
            self.sized(debug, 516)
            self.scalars(debug.offset, "kbin_debug_tensor_md_t", path + "dtensor_md.")
        size = self.get(base, kind, "size") if mr_type == MR_BUFFER else 0
        self.blob(layout.slot(base, kind, "buffer"), size, path + "buffer")
        if union == "mem.list":
            self.numbers(layout.slot(base, union, "u.list.list"),
                         self.get(base, union, "u.list.length"), path + "u.list.list")

    def act_sets(self, root):
        kind, profile = "kbin_act_function_set_t", "kbin_act_profile_data_t"
        for base, path in self.elements(
                root, "kbin_t", "act_function_sets.sets",
                "act_function_sets.num_function_sets", tree.ACT_SETS, kind, ""):
            self.scalars(base, kind, path)
            functions = self.fields[path + "num_functions"]
            if functions > layout.MAX_PROFILES:
                self.fail("function-count", "IMG-021", base)
            for pointer, size in (("bkt_tbl", "bkt_sz"), ("ctl_tbl", "ctl_sz")):
                self.blob(layout.slot(base, kind, pointer),
                          self.get(base, kind, size), path + pointer)
            first = base + layout.PROFILE_DATA
            for i in range(functions):
                self.scalars(first + layout.PROFILE_BYTES * i, profile,
                             f"{path}profile_data[{i}].")
            self.zero(first + layout.PROFILE_BYTES * functions,
                      first + layout.PROFILE_BYTES * layout.MAX_PROFILES)

    def dve(self, entry):
        self.sized(entry, 64)
        for field in layout.STRUCTS["kbin_dve_config_t"].fields.values():
            base, path = entry.offset + field.offset, f"dve_config.{field.name}."
            self.scalars(base, "kbin_buffer_t", path)
            self.blob(base, self.get(base, "kbin_buffer_t", "size"), path + "buffer")

    def carveouts(self, entry):
        base = self.at_least(entry, 8)
        count = self.get(base, "kbin_sb_carveouts_t", "count")
        self.sized(entry, 8 + 40 * count)
        self.scalars(base, "kbin_sb_carveouts_t", "sb_carveouts.")
        for i in range(count):
            self.scalars(base + 8 + 40 * i, "kbin_sb_carveout_t",
                         f"sb_carveouts.carveouts[{i}].")

    def groups(self, base, kind, pointer, counter, path):
        """kbin_t's inline set, or the set behind rg_set."""
        group, subgroup = "kbin_replica_group_t", "kbin_replica_subgroup_t"
        for g, gpath in self.elements(base, kind, pointer, counter, tree.GROUPS, group, path):
            self.scalars(g, group, gpath)
            for s, spath in self.elements(g, group, "subgroups", "num_subgroups",
                                          tree.SUBGROUPS, subgroup, gpath):
                self.scalars(s, subgroup, spath)
                self.numbers(layout.slot(s, subgroup, "participants"),
                             self.get(s, subgroup, "num_participants"),
                             spath + "participants")

    def pair_sets(self, root):
        kind, pair = "kbin_src_target_pairs_t", "kbin_src_target_pair_t"
        group_set = "kbin_replica_group_set_t"
        for base, path in self.elements(
                root, "kbin_t", "src_target_pairs.pairs_set", "src_target_pairs.num",
                tree.PAIR_SETS, kind, ""):
            self.scalars(base, kind, path)
            groups = self.one(base, kind, "rg_set", tree.GROUP_SET, path + "rg_set")
            if groups is not None:
                self.sized(groups, 16)
                self.scalars(groups.offset, group_set, path + "rg_set.")
                self.groups(groups.offset, group_set, "groups", "num_groups",
                            path + "rg_set.")
            for p, ppath in self.elements(base, kind, "pairs", "num_pairs",
                                          tree.PAIRS, pair, path):
                self.scalars(p, pair, ppath)

    def libraries(self, root):
        kind, function = "kbin_ucode_lib_t", "kbin_ucode_lib_function_t"
        for base, path in self.elements(
                root, "kbin_t", "ucode_lib_set.libs", "ucode_lib_set.num_libs",
                tree.LIBS, kind, ""):
            self.scalars(base, kind, path)
            self.blob(layout.slot(base, kind, "content"),
                      self.get(base, kind, "content_size"), path + "content")
            for f, fpath in self.elements(
                    base, kind, "function_set.functions", "function_set.num_functions",
                    tree.FUNCTIONS, function, path):
                self.scalars(f, function, fpath)
