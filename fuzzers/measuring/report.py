# SPDX-License-Identifier: Apache-2.0
"""The stated bounds, and what was measured as tables and as JSON."""
import speed
from seeded import PLAIN, found, ratio_beyond_parsing, ratio_of
from table import Table, count, share

# what | the least it may be
BOUNDS = (
    ("image_bytes of the empty target's exec/s", 0.40),
    ("dtype of the empty target's exec/s", 0.40),
    ("image_bytes past the checksum", 0.05),
    ("subgraph exec/s on inputs of about 4 KB", 2000),
    ("subgraph reaching lowering", 0.90),
    ("models lowered by subgraph over defjson_bytes", 60),
    ("share of seeded bugs found in every seed", 1.0),
    ("bytes and dictionary over subgraph and its like, median", 5),
)


def values(result):
    """In the order of BOUNDS; None where it was not measured."""
    targets, seeded = result.get("targets", {}), result.get("seeded")
    of = lambda target, key: targets.get(target, {}).get(key)  # noqa: E731
    return (of("image_bytes", "of_empty"), of("dtype", "of_empty"), of("image_bytes", "lowered_share"),
            result.get("subgraph_4_kb", {}).get("exec_per_s"), of("subgraph", "lowered_share"),
            result.get("subgraph_over_bytes"), seeded and seeded["found"] / seeded["of"],
            seeded and seeded["ratio_beyond_parsing"])


def bounds(result):
    """Those that were measured, each with whether it holds."""
    return [{"what": what, "at_least": least, "is": value, "holds": value >= least}
            for (what, least), value in zip(BOUNDS, values(result)) if value is not None]


def seeded_of(rows, limit, seeds):
    return {"found": sum(map(found, rows)), "of": len(rows), "limit": limit, "seeds": list(seeds),
            "ratio_beyond_parsing": ratio_beyond_parsing(rows, limit), "bugs": rows}


def number(value):
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}".rstrip("0").rstrip(".")


def speed_table(result):
    t = Table("target", "exec/s", "of empty", "reached lowering", "", "accepted", "mean bytes")
    rows = list(result["targets"].items())
    if "subgraph_4_kb" in result:
        rows.append(("subgraph, 4 KB", result["subgraph_4_kb"]))
    for name, r in rows:
        if "exec_per_s" in r:
            t.row(name, number(r["exec_per_s"]), f"{100 * r['of_empty']:.1f} %", share(r["lowered_share"], 1),
                  speed.REACHED.get(name.split(",")[0], ""), share(r["accepted_share"], 1), number(r["mean_input_bytes"]))
    return t.text() if len(t.rows) > 1 else ""


def edges_table(result):
    t = Table("target", "edges")
    for name, r in result["targets"].items():
        if "edges" in r:
            t.row(name, r["edges"])
    return (f"edges of oracle/ and of the target after {count(result['edges_after'])} executions\n{t.text()}"
            if len(t.rows) > 1 else "")


def seeded_table(result):
    s = result.get("seeded")
    if not s:
        return ""
    head = [f"seed {n}" for n in s["seeds"]]
    plain = any("plain" in r for r in s["bugs"])
    t = Table("bug", "", "target", *head, *(["bytes: " + ", ".join(head), "ratio"] if plain else []))
    for r in s["bugs"]:
        cells = [r["number"], r["name"], r["target"], *(f"> {count(s['limit'])}" if n is None else count(n)
                                                        for n in r["executions"])]
        if plain:
            cells += [", ".join(f"> {count(s['limit'])}" if n is None else count(n) for n in r["plain"]),
                      number(ratio_of(r, s["limit"]))] if "plain" in r else ["-", "-"]
        t.row(*cells)
    return (f"executions to the first trigger, at most {count(s['limit'])}\n{t.text()}\n"
            f"found in every seed: {s['found']} of {s['of']}"
            + (f"; behind the parser ({', '.join(sorted(PLAIN))}) bytes and dictionary need "
               f"{number(s['ratio_beyond_parsing'])} times as many (median)" if plain else ""))


def bounds_table(result):
    t = Table("bound", "at least", "is", "")
    for b in bounds(result):
        t.row(b["what"], number(b["at_least"]), number(b["is"]), "holds" if b["holds"] else "DOES NOT HOLD")
    return t.text() if len(t.rows) > 1 else ""


def text(result):
    parts = [speed_table(result), edges_table(result), seeded_table(result)]
    if "per_cpu_second" in result:
        p = result["per_cpu_second"]
        t = Table("per CPU second", "models lowered", "executions accepted")
        for name, row in p.items():
            t.row(name, number(row["models"]), number(row["accepted"]))
        parts.append(t.text())
    return "\n\n".join(filter(None, [*parts, bounds_table(result)]))
