# SPDX-License-Identifier: Apache-2.0
"""The operations of the process protocol, one request to one answer.

Reading and writing lines is adapter.py's; here a request is already an object.
A request that makes no sense is answered `unsupported`: an answer that passes
no case, whatever the case expects.
"""

import base64
import binascii

from . import VERSION, decode, dtypes, lower
from .errors import Refusal, Unspecified

OPS = ("dtype", "lower", "lower_neff", "decode")


class BadRequest(Exception):
    pass


def answer(request):
    number = request.get("id") if isinstance(request, dict) else None
    try:
        body = dispatch(request)
    except Refusal as e:
        body = {"status": e.status, "code": e.code, "reason": e.reason, "at": e.at,
                "requirement": e.requirement}
    except Unspecified as e:
        body = {"status": "refused", "reason": "unspecified", "at": e.at,
                "requirement": e.requirement}
    except (BadRequest, KeyError, TypeError, ValueError, AttributeError) as e:
        body = {"status": "unsupported", "reason": "bad-request",
                "at": f"{type(e).__name__}: {e}"}
    return {"id": number, **body}


def dispatch(request):
    if not isinstance(request, dict):
        raise BadRequest("a request is an object")
    op = request.get("op")
    if op == "hello":
        return {"protocol": 1, "name": "kbin-python", "version": VERSION,
                "ops": list(OPS)}
    handler = {"dtype": op_dtype, "lower": op_lower, "lower_neff": op_lower_neff,
               "decode": op_decode}.get(op)
    if handler is None:
        return {"status": "unsupported"}
    return {"status": "ok", **handler(request)}


def op_dtype(request):
    out = {}
    if "match" in request:
        out["match"] = [refused(match(m)) for m in request["match"]]
    for key, table in (("to_sdma", dtypes.to_sdma), ("cce_op", dtypes.cce_op),
                       ("size", dtypes.size)):
        if key in request:
            out[key] = [refused(table(integer(v))) for v in request[key]]
    return out


def match(entry):
    text = binary(entry["text"])
    if entry["table"] == "neff_io":
        return dtypes.match_neff_io(text)
    if entry["table"] == "defjson":
        return dtypes.match_defjson(text)
    raise BadRequest("unknown table")


def op_lower(request):
    members = {path.encode("utf-8"): binary(data)
               for path, data in request["members"].items()}
    image = lower.lower_image(
        members, request["definition"].encode("utf-8"), integer(request["target"]),
        integer(request.get("subgraph", 0)), request.get("allow_legacy", False),
        request.get("fp8"))
    return {"image": b64(image)}


def op_lower_neff(request):
    arch = request.get("arch")
    model, images = lower.lower_neff(
        binary(request["neff"]), None if arch is None else integer(arch),
        request.get("allow_legacy", False), request.get("verify_digest", False))
    return {"images": [b64(i) for i in images],
            "inputs": [tensor(t) for t in model.inputs],
            "outputs": [tensor(t) for t in model.outputs]}


def op_decode(request):
    return {"fields": decode.decode(binary(request["image"]))}


def tensor(t):
    return {"name": b64(t["name"]), "dtype": t["dtype"],
            "shape": [plain(d) for d in t["shape"]], "size": plain(t["size"])}


def plain(value):
    return decode.records.plain(value)


def refused(code):
    return "refused" if code is None else code


def integer(value):
    """Integers travel as numbers or, when large, as decimal strings."""
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise BadRequest("not an integer")
    return int(value)


def binary(text):
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as e:
        raise BadRequest(str(e)) from None


def b64(raw):
    return base64.b64encode(raw).decode("ascii")
