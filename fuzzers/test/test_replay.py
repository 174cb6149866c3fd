# SPDX-License-Identifier: Apache-2.0
"""The replay form of a target: what it prints and how it ends, with and without a violation."""
import os
import signal
import subprocess
import tempfile
import unittest

REPLAY, PLANTED, SEEDS = (os.environ[k] for k in ("ASSAY_REPLAY", "ASSAY_PLANTED", "ASSAY_SEEDS"))


def run(program, *arguments, **environment):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=100,
                          env={**os.environ, **environment})


def accepted_seed():
    return sorted(os.path.join(SEEDS, n) for n in os.listdir(SEEDS) if n.startswith("allreduce32"))[0]


class Replay(unittest.TestCase):
    def test_seeds_pass_and_are_counted(self):
        r = run(REPLAY, SEEDS)
        self.assertEqual((r.returncode, r.stderr), (0, ""))
        inputs, reached, accepted = (int(r.stdout.split()[i]) for i in (0, 2, 5))
        self.assertEqual(inputs, len(os.listdir(SEEDS)))
        self.assertGreater(accepted, 5)
        self.assertLess(accepted, reached)

    def test_statistics_on_request(self):
        r = run(REPLAY, accepted_seed(), ASSAY_FUZZ_STATS="1")
        self.assertEqual(r.stderr, "stats: 1 executions, 1 reached lowering, 1 accepted, 1 models\n")

    def test_a_model_said_in_other_words_counts_once(self):
        with open(accepted_seed(), encoding="utf-8") as stream:
            text = stream.read()
        with tempfile.TemporaryDirectory() as inputs:
            for name, other in (("a", text), ("b", text + " "), ("c", text.replace("{", "{ ", 1))):
                with open(os.path.join(inputs, name), "w", encoding="utf-8") as stream:
                    stream.write(other)
            alike = [os.path.join(inputs, n) for n in "abc"]
            another = [p for p in (os.path.join(SEEDS, n) for n in sorted(os.listdir(SEEDS)))
                       if run(REPLAY, p).stdout.split()[5] == "1"][-1:]
            self.assertIn("3 accepted, 1 models", run(REPLAY, *alike, ASSAY_FUZZ_STATS="1").stderr)
            self.assertIn("4 accepted, 2 models", run(REPLAY, *alike, *another, ASSAY_FUZZ_STATS="1").stderr)

    def test_an_empty_input(self):
        with tempfile.NamedTemporaryFile() as empty:
            self.assertEqual(run(REPLAY, empty.name).returncode, 0)

    def test_nothing_to_run_is_an_error(self):
        with tempfile.TemporaryDirectory() as empty:
            self.assertEqual(run(REPLAY, empty).returncode, 2)
        self.assertEqual(run(REPLAY).returncode, 2)
        self.assertEqual(run(REPLAY, os.path.join(SEEDS, "no-such-file")).returncode, 2)

    def test_a_planted_violation_traps(self):
        r = run(PLANTED, accepted_seed())
        self.assertIn(-r.returncode, (signal.SIGILL, signal.SIGTRAP), r.stderr)
        self.assertIn("found: VAR-031 at ", r.stderr)
        self.assertIn(f"input: {accepted_seed()}\n", r.stderr)

    def test_where_nothing_is_lowered_nothing_is_found(self):
        refused = [os.path.join(SEEDS, n) for n in os.listdir(SEEDS) if n.startswith("var-")]
        self.assertGreater(len(refused), 5)
        self.assertEqual(run(PLANTED, *refused).returncode, 0)


if __name__ == "__main__":
    unittest.main()
