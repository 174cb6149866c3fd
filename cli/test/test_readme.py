# SPDX-License-Identifier: Apache-2.0
"""README.md shows what the tool really prints. A line of "…" there stands for any lines."""

import os
import re
import subprocess
import unittest

from tool import ROOT, TOOL, Ran, ToolTest, environment


class Readme(ToolTest):
    def test_the_tour(self):
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as stream:
            blocks = re.findall(r"```console\n(.*?)```", stream.read(), re.DOTALL)
        for name in ("corpus", "conformance"):
            os.symlink(os.path.join(ROOT, name), self.path(name))
        os.symlink(TOOL, self.path("assay"))
        commands, at = 0, self.dir
        for step in re.split(r"^\$ ", "".join(blocks), flags=re.MULTILINE)[1:]:
            command, shown = step.split("\n", 1)
            # As in one shell: where a command goes the next one starts.
            ran = Ran(subprocess.run(["bash", "-c", command + '\npwd >"$AT"'], cwd=at, check=False, timeout=300,
                                     env=environment(AT=self.path("at"), ASSAY_COMMAND="./assay"), stdin=subprocess.DEVNULL, capture_output=True))
            with open(self.path("at"), encoding="utf-8") as stream:
                at = stream.read().strip()
            wanted = "(?s:.*)".join(re.escape(part) for part in shown.split("…\n"))
            wanted = re.sub(r"seconds=[0-9.\\]+", r"seconds=[0-9.]+", wanted)
            self.assertRegex(ran.out + ran.err, rf"\A{wanted}\Z", command)
            commands += 1
        self.assertGreater(commands, 5)


if __name__ == "__main__":
    unittest.main()
