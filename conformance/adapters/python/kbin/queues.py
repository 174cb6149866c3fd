# SPDX-License-Identifier: Apache-2.0
"""The dma_queue section and the queue records (blocks are blocks.py's)."""

from . import tables
from .tree import DMA, INSTANCE, Record
from .variables import checked_name

MAX_QUEUES = 32
MAX_SEMAPHORES = 32
NO_SETS = (tables.RING_IN, tables.RING_OUT, tables.RING_EMBEDDING_UPDATE)


class Instance:
    def __init__(self, queue, name):
        self.queue = queue
        self.name = name
        self.descriptors = []


class Queue:
    def __init__(self, node, name):
        self.node = node
        self.name = name
        self.ring_type = 0
        self.owner = 0
        self.set_count = 1
        self.semaphores = []
        self.scratch = (0, 0)
        self.flags = 0
        self.instances = []
        self.function = None

    def instance(self, name):
        return next((i for i in self.instances if i.name == name), None)


class Queues:
    """All queues, by name, and the instances that some queue lists."""

    def __init__(self):
        self.by_name = {}
        self.listed = {}

    def in_order(self):
        return [self.by_name[n] for n in sorted(self.by_name)]


def read_queues(ctx):
    queues = Queues()
    section = ctx.doc.get("dma_queue")
    if section is None:
        return queues
    section.obj("DMQ-001")
    if section.value.duplicates:
        section.refuse("duplicate-queue", "JSN-009")
    if len(section.value) > MAX_QUEUES:
        section.refuse("too-many-queues", "DMQ-002")
    hardware = act_loads = 0
    for key in section.value:
        node = section.get(key).obj("DMQ-001")
        queue = read_queue(node, checked_name(node, key), queues.listed)
        queues.by_name[queue.name] = queue
        hardware += queue.flags >> 1 & 1
        act_loads += queue.ring_type == tables.RING_DYNAMIC_ACT_TBL
        if act_loads > 1:
            node.refuse("second-act-load-queue", "DMQ-012")
    if hardware > tables.MAX_HW_DGE[ctx.target]:
        section.refuse("too-many-hw-dge-queues", "DMQ-017")
    return queues


def read_queue(node, name, listed):
    queue = Queue(node, name)
    kind = node.need("type", "DMQ-005")
    queue.ring_type = tables.QUEUE_TYPES.get(kind.text())
    if queue.ring_type is None:
        kind.refuse("unknown-queue-type", "DMQ-005")
    owner = node.need("owner", "DMQ-004")
    queue.owner = tables.ENGINES.get(owner.text())
    if queue.owner is None:
        owner.refuse("unknown-owner", "DMQ-003")
    read_sets(node, queue)
    read_semaphores(node, queue)
    dynamic, counts = kind.value == "dynamic", flag(node, "dge")
    if kind.value == "data" and flag(node, "indirect_memcpy"):
        queue.ring_type = tables.RING_INDIRECT
    if dynamic:
        scratch = node.get("dynamic_dma")
        if scratch is None:
            counts = True
        else:
            scratch.obj("DMQ-007")
            queue.scratch = (optional_u32(scratch, "SB_scratch_partition_offset"),
                             optional_u32(scratch, "SB_scratch_partition_size"))
    if queue.ring_type == tables.RING_EMBEDDING_UPDATE:
        node.need("embedding_update_sync_semaphore", "DMQ-013").unsigned(32)
    queue.flags = flag(node, "pinned") | counts << 1 | dynamic << 2
    instances = node.get("queue_instances")
    if instances is not None:
        for item in instances.array("DMQ-020"):
            instance = Instance(queue, item.raw("DMQ-020"))
            if instance.name in listed:
                item.refuse("duplicate-instance", "DMQ-021")
            listed[instance.name] = instance
            queue.instances.append(instance)
    return queue


def read_sets(node, queue):
    count = node.get("num_queues")
    if queue.ring_type in NO_SETS:
        for key in ("num_queues", "queue_instances"):
            if node.get(key) is not None:
                node.refuse("queue-sets-not-allowed", "DMQ-009")
    if count is None:
        return
    queue.set_count = count.unsigned(32)
    if queue.ring_type == tables.RING_DYNAMIC_ACT_TBL and queue.set_count != 1:
        count.refuse("act-load-sets", "DMQ-012")
    if queue.set_count > 16:
        count.refuse("too-many-sets", "DMQ-010")


def read_semaphores(node, queue):
    many = node.get("semaphore_set")
    if many is not None:
        # DMQ-016: beside a set, semaphore is not looked at.
        queue.semaphores = [s.unsigned(32) for s in many.array("DMQ-015")]
        if len(queue.semaphores) > MAX_SEMAPHORES:
            many.refuse("too-many-semaphores", "DMQ-015")
        return
    one = node.get("semaphore")
    if one is not None:
        queue.semaphores = [one.unsigned(32)]


def flag(node, key):
    value = node.get(key)
    return value is not None and value.boolean()


def optional_u32(node, key):
    value = node.get(key)
    return 0 if value is None else value.unsigned(32)


def queue_record(queue):
    record = Record(DMA, 296 + 8 * len(queue.instances))
    dma = "kbin_dma_t"
    record.put(dma, "ring_type", queue.ring_type)
    record.put(dma, "owner", queue.owner)
    record.put(dma, "queue_set_cnt", queue.set_count)
    record.put(dma, "semaphore_cnt", len(queue.semaphores))
    for i, s in enumerate(queue.semaphores):
        record.put(dma, "semaphores", s, index=i)
    record.put(dma, "dge_sb_scratch_addr", queue.scratch[0])
    record.put(dma, "dge_sb_scratch_size", queue.scratch[1])
    record.put(dma, "flags", queue.flags)
    record.put(dma, "ring_instance_count", len(queue.instances))
    for i, instance in enumerate(queue.instances):
        record.pointers.append((296 + 8 * i, instance_record(instance)))
    return record


def instance_record(instance):
    record = Record(INSTANCE, 264 + 5456 * len(instance.descriptors))
    # DMQ-023: cut in the record only; matching used the whole name.
    record.put("kbin_dma_ring_instance_t", "name", instance.name[:255])
    record.put("kbin_dma_ring_instance_t", "ndesc", len(instance.descriptors))
    for i, descriptor in enumerate(instance.descriptors):
        descriptor.write(record, 264 + 5456 * i)
    return record
