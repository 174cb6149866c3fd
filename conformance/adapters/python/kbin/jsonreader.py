# SPDX-License-Identifier: Apache-2.0
"""The strict JSON dialect of the JSN rows, and typed access to its values.

`parse` gives plain Python values (see there); `Node` pairs a value with its
place and turns type rules into refusals. No writer, no leniency, no recursion
(1024 nested containers must not need 1024 stack frames).
"""

import re

from .errors import Refusal

MAX_DEPTH = 1024
MAX_BYTES = 1 << 32

_WS = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))((?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_HEX4 = re.compile(r"[0-9A-Fa-f]{4}")
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n",
            "r": "\r", "t": "\t"}
_WORDS = (("true", True), ("false", False), ("null", None))


class Object(dict):
    """An object: of duplicate keys the first holds (JSN-007)."""

    def __init__(self):
        super().__init__()
        self.duplicates = []


class NegativeZero(int):
    """The literal -0: 0 as an integer, -0.0 where it is read as a double."""


class _Parser:
    def __init__(self, text, member):
        self.text = text
        self.member = member
        self.pos = 0

    def fail(self, reason, requirement="JSN-002", pos=None):
        pos = self.pos if pos is None else pos
        offset = len(self.text[:pos].encode("utf-8", "surrogatepass"))
        raise Refusal(reason, requirement, f"{self.member}+{offset}")

    def skip(self):
        self.pos = _WS.match(self.text, self.pos).end()
        return self.text[self.pos:self.pos + 1]

    def string(self):
        text, parts, start = self.text, [], self.pos
        self.pos += 1
        while True:
            m = _PLAIN.match(text, self.pos)
            parts.append(m.group())
            self.pos = m.end()
            c = text[self.pos:self.pos + 1]
            if c == '"':
                self.pos += 1
                return "".join(parts)
            if c != "\\":
                self.fail("json-string", pos=start if not c else None)
            e = text[self.pos + 1:self.pos + 2]
            if e == "u":
                parts.append(self.unicode_escape())
            elif e and e in _ESCAPES:
                parts.append(_ESCAPES[e])
                self.pos += 2
            else:
                self.fail("json-escape")

    def unicode_escape(self):
        unit = self.hex4()
        if 0xDC00 <= unit <= 0xDFFF:
            self.fail("json-lone-surrogate", "JSN-018")
        if 0xD800 <= unit <= 0xDBFF:
            if self.text[self.pos:self.pos + 2] != "\\u":
                self.fail("json-lone-surrogate", "JSN-018")
            low = self.hex4()
            if not 0xDC00 <= low <= 0xDFFF:
                self.fail("json-lone-surrogate", "JSN-018")
            unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)
        return chr(unit)

    def hex4(self):
        m = _HEX4.match(self.text, self.pos + 2)
        if not m:
            self.fail("json-escape")
        self.pos = m.end()
        return int(m.group(), 16)

    def number(self):
        m = _NUMBER.match(self.text, self.pos)
        if not m:
            self.fail("json-syntax")
        whole, rest = m.groups()
        if rest:
            value = float(whole + rest)
            if value in (float("inf"), float("-inf")):
                self.fail("json-number-range", "JSN-004")
        elif whole == "-0":
            value = NegativeZero(0)
        else:
            # 20 digits suffice for 2^64-1; never convert an endless literal.
            value = int(whole) if len(whole) <= 20 else 1 << 64
            if not -(1 << 63) <= value < 1 << 64:
                self.fail("json-integer-range", "JSN-003")
        self.pos = m.end()
        return value

    def scalar(self, c):
        if c == '"':
            return self.string()
        if c and c in "-0123456789":
            return self.number()
        for word, value in _WORDS:
            if self.text.startswith(word, self.pos):
                self.pos += len(word)
                return value
        return self.fail("json-syntax")

    def key(self):
        if self.skip() != '"':
            self.fail("json-syntax")
        key = self.string()
        if self.skip() != ":":
            self.fail("json-syntax")
        self.pos += 1
        return key

    def document(self):
        stack, keys = [], []
        while True:
            # One value: a scalar, or a container that opens (and may be empty).
            c = self.skip()
            if c and c in "{[":
                if len(stack) >= MAX_DEPTH:
                    self.fail("json-depth", "JSN-010")
                self.pos += 1
                value = Object() if c == "{" else []
                if self.skip() != ("}" if c == "{" else "]"):
                    stack.append(value)
                    keys.append(self.key() if c == "{" else None)
                    continue
                self.pos += 1
            else:
                value = self.scalar(c)
            # The value is whole: store it, and close what ends with it.
            while stack:
                top = stack[-1]
                if isinstance(top, list):
                    top.append(value)
                elif keys[-1] in top:
                    top.duplicates.append(keys[-1])
                else:
                    top[keys[-1]] = value
                c = self.skip()
                if c == ",":
                    self.pos += 1
                    keys[-1] = self.key() if isinstance(top, dict) else None
                    break
                if c != ("}" if isinstance(top, dict) else "]"):
                    self.fail("json-syntax")
                self.pos += 1
                value = stack.pop()
                keys.pop()
            else:
                if self.skip():
                    self.fail("json-trailing")
                return value


def parse(data, member=""):
    """Returns Object, list, str, int, float, bool or None.

    An int is an integer literal and a float is one with a fraction or an
    exponent: the distinction decides JSN-005, so it is never lost.
    """
    if len(data) >= MAX_BYTES:
        raise Refusal("json-too-long", "JSN-011", member)
    if data[:3] == b"\xef\xbb\xbf":
        raise Refusal("json-bom", "JSN-017", f"{member}+0")
    try:
        text = bytes(data).decode("utf-8")
    except UnicodeDecodeError as e:
        raise Refusal("json-utf8", "JSN-001", f"{member}+{e.start}") from None
    return _Parser(text, member).document()


class Node:
    """A value and its place in a document."""

    __slots__ = ("value", "parent", "step", "member")

    def __init__(self, value, member, parent=None, step=None):
        self.value = value
        self.member = member
        self.parent = parent
        self.step = step

    def at(self):
        steps, node = [], self
        while node.parent is not None:
            step = str(node.step).replace("~", "~0").replace("/", "~1")
            steps.append("/" + step)
            node = node.parent
        return self.member + "#" + "".join(reversed(steps))

    def refuse(self, reason, requirement):
        raise Refusal(reason, requirement, self.at())

    def wrong_type(self, requirement="JSN-016"):
        self.refuse("wrong-type", "JSN-015" if self.value is None else requirement)

    def obj(self, requirement="JSN-016"):
        if not isinstance(self.value, dict):
            self.wrong_type(requirement)
        return self

    def get(self, key):
        if key in self.value:
            return Node(self.value[key], self.member, self, key)
        return None

    def need(self, key, requirement):
        node = self.get(key)
        if node is None:
            raise Refusal("missing-key", requirement, f"{self.at()}/{key}")
        return node

    def array(self, requirement="JSN-016"):
        if not isinstance(self.value, list):
            self.wrong_type(requirement)
        return [Node(v, self.member, self, i) for i, v in enumerate(self.value)]

    def text(self, requirement="JSN-016"):
        """A consumed string (JSN-019 included)."""
        if not isinstance(self.value, str):
            self.wrong_type(requirement)
        if "\0" in self.value:
            self.refuse("nul-in-string", "JSN-019")
        return self.value

    def raw(self, requirement="JSN-016"):
        return self.text(requirement).encode("utf-8")

    def unsigned(self, bits, requirement="JSN-006"):
        value = self._integer()
        if value < 0:
            self.refuse("negative", "JSN-005")
        if value >> bits:
            self.refuse("integer-range", requirement)
        return value

    def signed(self, bits, requirement="JSN-006"):
        value = self._integer()
        if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
            self.refuse("integer-range", requirement)
        return value

    def _integer(self):
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            self.wrong_type("JSN-005")
        return int(self.value)

    def boolean(self):
        if not isinstance(self.value, bool):
            self.wrong_type("JSN-014")
        return self.value

    def double(self):
        """Any JSON number, as a double."""
        if isinstance(self.value, bool) or not isinstance(self.value, (int, float)):
            self.wrong_type()
        if isinstance(self.value, NegativeZero):
            return -0.0
        return float(self.value)


def load(data, member):
    return Node(parse(data, member), member)
