# SPDX-License-Identifier: Apache-2.0
"""The process protocol's line loop: one JSON object in, one out, flushed.

Never ends on an input: what no handler foresaw is answered and told on
standard error, so that one case's trouble stays that case's.
"""

import json
import sys
import traceback

from kbin import protocol


def respond(line):
    request = None
    try:
        request = json.loads(line)
        return protocol.answer(request)
    except Exception as e:  # noqa: BLE001 - the loop must outlive any input
        traceback.print_exc(limit=8, file=sys.stderr)
        number = request.get("id") if isinstance(request, dict) else None
        return {"id": number, "status": "unsupported", "reason": "internal",
                "at": type(e).__name__}


def main():
    for line in sys.stdin.buffer:
        if line.strip():
            sys.stdout.write(json.dumps(respond(line), separators=(",", ":")) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
