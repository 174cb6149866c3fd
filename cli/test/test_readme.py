# SPDX-License-Identifier: Apache-2.0
"""README.md shows what the tool really prints. A line of "…" there stands for any lines."""

import os
import re
import shlex
import unittest

from tool import ROOT, ToolTest


class Readme(ToolTest):
    def test_the_tour(self):
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as stream:
            blocks = re.findall(r"```console\n(.*?)```", stream.read(), re.DOTALL)
        os.symlink(os.path.join(ROOT, "corpus"), self.path("corpus"))
        commands = 0
        for step in re.split(r"^\$ \./assay ", "".join(blocks), flags=re.MULTILINE)[1:]:
            command, shown = step.split("\n", 1)
            ran = self.run_tool(*shlex.split(command))
            wanted = "(?s:.*)".join(re.escape(part) for part in shown.split("…\n"))
            self.assertRegex(ran.out + ran.err, rf"\A{wanted}\Z", command)
            commands += 1
        self.assertGreater(commands, 5)


if __name__ == "__main__":
    unittest.main()
