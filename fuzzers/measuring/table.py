# SPDX-License-Identifier: Apache-2.0
"""Tables for people, and how numbers read in them."""


class Table:
    """Rows under a head; the first column to the left, numbers to the right."""

    def __init__(self, *head):
        self.rows = [[str(h) for h in head]]

    def row(self, *cells):
        self.rows.append(["-" if c is None else str(c) for c in cells])

    def text(self):
        widths = [max(len(r[i]) for r in self.rows) for i in range(len(self.rows[0]))]
        left = [i == 0 or not any(ch.isdigit() for r in self.rows[1:] for ch in r[i]) for i in range(len(widths))]
        return "\n".join("  ".join(c.ljust(w) if to_left else c.rjust(w)
                                   for c, w, to_left in zip(r, widths, left)).rstrip() for r in self.rows)


def count(n):
    return "-" if n is None else f"{n:,}"


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"
