# SPDX-License-Identifier: Apache-2.0
"""Lowers a NEFF file, a directory or a lone def.json to KBIN images.

A command line over kbin.lower, for comparing files; the process protocol is
adapter.py's. Exit codes: 0 lowered, 1 refused, 2 usage, 3 unspecified.
"""

import argparse
import os
import sys
import zlib

from kbin import container, lower
from kbin.errors import Refusal, Unspecified

ARCHES = {"sunda": 2, "cayman": 3, "mariana": 4}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("input")
    parser.add_argument("-o", dest="out", help="directory for the images")
    parser.add_argument("--arch", choices=ARCHES)
    parser.add_argument("--allow-legacy", action="store_true")
    parser.add_argument("--verify-digest", action="store_true")
    return parser.parse_args()


def lower_input(args):
    """Returns [(graph name bytes, image)]."""
    arch = ARCHES.get(args.arch)
    if os.path.isdir(args.input):
        members = container.read_directory(args.input)
        model, images = lower.lower_members(members, arch, args.allow_legacy)
    elif args.input.endswith(".json"):
        if arch is None:
            raise Refusal("no-architecture", "CON-024", args.input)
        folder, name = os.path.split(os.path.abspath(args.input))
        members = container.read_directory(folder)
        image = lower.lower_image(members, os.fsencode(name), arch, 0, args.allow_legacy)
        return [(os.fsencode(os.path.basename(folder)), image)]
    else:
        with open(args.input, "rb") as f:
            data = f.read()
        model, images = lower.lower_neff(data, arch, args.allow_legacy, args.verify_digest)
    return [(g.name, i) for g, i in zip(model.graphs, images)]


def file_stem(name, index):
    """A name that is no plain file name becomes sgNN."""
    plain = name not in (b"", b".", b"..") and b"/" not in name and len(name) < 250
    return os.fsdecode(name) if plain else f"sg{index:02d}"


def main():
    args = arguments()
    # A directory's name need not be text.
    sys.stdout.reconfigure(errors="surrogateescape")
    try:
        results = lower_input(args)
    except Refusal as e:
        print(f"refused: {e.reason} ({e.requirement})", file=sys.stderr)
        return 1
    except Unspecified as e:
        print(f"unspecified: {e.at} ({e.requirement})", file=sys.stderr)
        return 3
    except OSError as e:
        print(f"cannot read: {e}", file=sys.stderr)
        return 2
    for index, (name, image) in enumerate(results):
        stem = file_stem(name, index)
        if args.out is not None:
            os.makedirs(args.out, exist_ok=True)
            with open(os.path.join(args.out, stem + ".kbin"), "wb") as f:
                f.write(image)
        print(f"{stem} {len(image)} {zlib.crc32(image[80:]):08x}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
