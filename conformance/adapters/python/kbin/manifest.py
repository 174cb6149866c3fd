# SPDX-License-Identifier: Apache-2.0
"""neff.json and the KELF descriptor: graph I/O, target, the list of graphs.

Only what decides an answer is looked at; the rest of these documents is not.
"""

from . import dtypes, jsonreader, tables
from .errors import Refusal, Trap

MAX_DIMS = 32


class Graph:
    __slots__ = ("name", "definition")

    def __init__(self, name, definition):
        self.name, self.definition = name, definition


class Model:
    __slots__ = ("target", "graphs", "inputs", "outputs")


def read_model(members, arch=None, allow_legacy=False):
    model = Model()
    if b"neff.json" in members:
        doc = jsonreader.load(members[b"neff.json"], "neff.json").obj("IO-001")
        model.inputs, model.outputs = graph_io(doc)
        kelf = kelf_name(doc)
        if kelf not in members:
            raise Refusal("kelf-missing", "CON-017", "neff.json")
    else:
        model.inputs, model.outputs = [], []
        kelf = next((n for n in (b"kelf-0.json", b"kelf-a.json") if n in members), None)
        if kelf is None:
            raise Refusal("kelf-missing", "CON-018", "neff.json")
    read_kelf(model, members, kelf, arch, allow_legacy)
    return model


def kelf_name(doc):
    for node in doc.need("nodes", "IO-001").array("IO-001"):
        attrs = node.obj("IO-005").get("attrs")
        if attrs is None:
            continue
        name = attrs.obj("IO-005").get("func_name")
        if name is not None and name.text("IO-005") == "__kelf":
            return attrs.need("kelf", "CON-017").raw("CON-017")
    return doc.refuse("no-kelf-node", "CON-017")


def read_kelf(model, members, name, arch, allow_legacy):
    where = name.decode("utf-8", "replace")
    doc = jsonreader.load(members[name], where).obj("CON-019")
    version = doc.need("version", "CON-019")
    if "." not in version.text("CON-019"):
        version.refuse("kelf-version", "CON-019")
    target = doc.need("target", "CON-019")
    model.target = target_of(target, arch, allow_legacy)
    entries = doc.need("graphs", "CON-019").array("CON-019")
    if not entries:
        doc.refuse("no-graphs", "CON-020")
    model.graphs, names = [], set()
    for entry in entries:
        entry.obj("CON-019")
        graph = Graph(entry.need("name", "CON-019").raw("CON-019"),
                      entry.need("definition", "CON-019").raw("CON-019"))
        if graph.name in names:
            raise Trap("graph-name-twice", "CON-022", entry.at())
        if graph.definition not in members:
            entry.refuse("definition-missing", "CON-019")
        names.add(graph.name)
        model.graphs.append(graph)


def target_of(node, arch, allow_legacy):
    text = node.text("CON-019")
    if text == "*":
        if arch is None:
            node.refuse("no-architecture", "CON-024")
        return arch
    target = tables.TARGET_NAMES.get(text)
    if target is None:
        node.refuse("unknown-target", "CON-023")
    if arch is not None and target != arch and not allow_legacy:
        node.refuse("target-differs", "CON-025")
    return target


def graph_io(doc):
    nodes = doc.need("nodes", "IO-001").array("IO-001")
    arguments = doc.need("arg_nodes", "IO-001").array("IO-001")
    heads = doc.need("heads", "IO-001").array("IO-001")
    rows = doc.need("node_row_ptr", "IO-001").array("IO-001")
    attrs = doc.need("attrs", "IO-001").obj("IO-001")
    types, shapes = second(attrs, "dltype"), second(attrs, "shape")

    def pick(array, index, at, requirement):
        if index >= len(array):
            at.refuse("index-range", requirement)
        return array[index]

    def tensor(name, entry, at):
        dtype = pick(types, entry, at, "IO-004")
        if not isinstance(dtype.value, str):
            dtype.wrong_type("IO-005")
        # DT-003 over JSN-019: whatever the string holds, a miss is UNKNOWN.
        code = dtypes.match_neff_io(dtype.value.encode("utf-8"))
        dims = pick(shapes, entry, at, "IO-004").array("IO-005")
        if len(dims) > MAX_DIMS:
            at.refuse("too-many-dimensions", "IO-004")
        shape = [d.unsigned(64) for d in dims]
        size = tables.NRT_DTYPE_SIZE[code]
        for d in shape:
            size *= d
        if size >> 64:
            at.refuse("size-overflow", "DT-005")
        return {"name": name, "dtype": code, "shape": shape, "size": size}

    inputs = []
    for arg in arguments:
        index = arg.unsigned(64, "IO-005")
        node = pick(nodes, index, arg, "IO-005").obj("IO-005")
        entry = pick(rows, index, arg, "IO-005").unsigned(64, "IO-005")
        inputs.append(tensor(node.need("name", "IO-005").raw("IO-005"), entry, arg))
    outputs = []
    for head in heads:
        pair = head.array("IO-005")
        if len(pair) < 2:
            head.refuse("short-head", "IO-005")
        index, out = (n.unsigned(64, "IO-005") for n in pair[:2])
        node = pick(nodes, index, head, "IO-003").obj("IO-005")
        entry = pick(rows, index, head, "IO-005").unsigned(64, "IO-005") + out
        outputs.append(tensor(output_name(node, out), entry, head))
    return inputs, outputs


def second(attrs, key):
    pair = attrs.need(key, "IO-001").array("IO-001")
    if len(pair) < 2:
        attrs.refuse("short-attribute", "IO-001")
    return pair[1].array("IO-001")


def output_name(node, index):
    """IO-006; a list that is no list, or too short, counts as absent."""
    holders = [node]
    attrs = node.get("attrs")
    if attrs is not None and not usable(node, index):
        holders.append(attrs.obj("IO-005"))
    for holder in holders:
        if usable(holder, index):
            return holder.get("output_names").array()[index].raw("IO-005")
    return node.need("name", "IO-005").raw("IO-005")


def usable(holder, index):
    names = holder.get("output_names")
    return names is not None and isinstance(names.value, list) and index < len(names.value)
