# SPDX-License-Identifier: Apache-2.0
"""The part of JSON Schema that schemas/ uses. An unknown keyword is an error, not a pass."""

import json
import re

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
NOTES = {"$schema", "$id", "title", "description"}


class Mismatch(Exception):
    pass


def of_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def matches(value, rule):
    try:
        walk(value, rule, "")
        return True
    except Mismatch:
        return False


def walk(value, rule, at):
    def need(holds, what):
        if not holds:
            raise Mismatch(f"{at or '/'}: {what}: {json.dumps(value)[:200]}")

    for key, wanted in rule.items():
        if key in NOTES or key in ("required", "additionalProperties"):
            continue
        if key == "type":
            names = wanted if isinstance(wanted, list) else [wanted]
            need(any(of_type(value, n) for n in names), f"no {wanted}")
        elif key == "const":
            need(value == wanted, f"not {wanted}")
        elif key == "enum":
            need(value in wanted, f"none of {wanted}")
        elif key == "anyOf":
            need(any(matches(value, r) for r in wanted), "none of the alternatives")
        elif key == "minimum":
            need(value >= wanted, f"below {wanted}")
        elif key == "maximum":
            need(value <= wanted, f"above {wanted}")
        elif key == "pattern":
            need(re.search(wanted, value), f"does not match {wanted}")
        elif key == "items":
            for i, item in enumerate(value):
                walk(item, wanted, f"{at}/{i}")
        elif key == "properties":
            for name in rule.get("required", []):
                need(name in value, f"lacks {name}")
            for name, inner in value.items():
                need(name in wanted or rule.get("additionalProperties", True), f"has {name}")
                if name in wanted:
                    walk(inner, wanted[name], f"{at}/{name}")
        else:
            raise ValueError(f"schema keyword {key}")


def check(value, schema_path):
    with open(schema_path, encoding="utf-8") as stream:
        walk(value, json.load(stream), "")
