# SPDX-License-Identifier: Apache-2.0
"""One def.json and its neighbours down to a KBIN tree and image.

Sections are consumed in SEC-002's order, so that the first failing one
decides the refusal. Nothing is written before everything has been read.
"""

from . import (blocks, container, engines, image, jsonreader, manifest,
               metadata, queues, tables, variables)
from .errors import Refusal
from .tree import KBIN, Record


class Context:
    """What the section readers share: document, members, options, results."""

    def __init__(self, members, definition, target, allow_legacy, fp8):
        self.members = members
        self.directory = definition[:definition.rfind(b"/") + 1]
        self.target = target
        self.allow_legacy = allow_legacy
        self.fp8_overrides = None
        if fp8 is not None:
            self.fp8_overrides = jsonreader.Node(fp8, "fp8")
        if definition not in members:
            raise Refusal("definition-missing", "CON-019", shown(definition))
        self.doc = jsonreader.load(members[definition], shown(definition)).obj()
        self.by_name = {}
        self.queues = None

    def member(self, node, requirement):
        """The member a node names; joined byte for byte (CON-021)."""
        path = self.directory + node.raw()
        if path not in self.members:
            node.refuse("member-missing", requirement)
        return self.members[path]

    def document(self, node, requirement):
        data = self.member(node, requirement)
        return jsonreader.load(data, shown(self.directory + node.raw()))


def shown(path):
    return path.decode("utf-8", "replace")


def lower_graph(members, definition, target, allow_legacy=False, fp8=None):
    """Returns the root record; `target` is final here."""
    if target not in tables.TARGETS:
        raise Refusal("target", "LOW-008" if target else "LOW-007", "target")
    ctx = Context(members, definition, target, allow_legacy, fp8)
    root = Record(KBIN, 424)
    ordered = variables.read_variables(ctx)
    ctx.by_name = {v.name: v for v in ordered}
    ctx.queues = queues.read_queues(ctx)
    metadata.replica_groups(ctx, root)
    metadata.source_target_pairs(ctx, root)
    metadata.ucode_libraries(ctx, root)
    metadata.carveouts(ctx, root)
    metadata.streams(ctx, root)
    blocks.read_blocks(ctx, ctx.doc.get("dma"))
    metadata.fp8_config(ctx, root)
    code = {}
    for name in tables.ENGINE_SECTION_ORDER:
        code[name] = engines.read_engine(ctx, name, root)
    for i, name in enumerate(tables.ENGINE_SLOT_ORDER):
        root.point("kbin_t", "engine", engines.engine_record(name, code[name]), index=i)
    for i, queue in enumerate(ctx.queues.in_order()):
        root.point("kbin_t", "dma", queues.queue_record(queue), index=i)
    root.point("kbin_t", "mem_ref_set", variables.mem_ref_set(ordered))
    root.put("kbin_t", "target", target)
    return root


def lower_image(members, definition, target, subgraph=0, allow_legacy=False, fp8=None):
    root = lower_graph(members, definition, target, allow_legacy, fp8)
    return image.encode(root, target, subgraph)


def lower_members(members, arch=None, allow_legacy=False, fp8=None):
    """All graphs of a package: (model, images); one refusal refuses all."""
    model = manifest.read_model(members, arch, allow_legacy)
    images = [lower_image(members, g.definition, model.target, i, allow_legacy, fp8)
              for i, g in enumerate(model.graphs)]
    return model, images


def lower_neff(data, arch=None, allow_legacy=False, verify_digest=False, fp8=None):
    members = container.open_neff(data, verify_digest)
    return lower_members(members, arch, allow_legacy, fp8)
