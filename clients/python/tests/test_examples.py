"""The examples, with the libraries that they are for, and the fake models of these."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import unittest

from tests import world

EXAMPLES = {"langchain": "langchain_core", "llama_index": "llama_index.core", "haystack": "haystack"}


def there(module: str) -> bool:
    """Whether a library is installed."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


@world.needs_program
class Examples(unittest.TestCase):
    def run_example(self, name: str) -> None:
        if not there(EXAMPLES[name]):
            self.skipTest(f"{EXAMPLES[name]} is not installed")
        environment = {**os.environ, "PYTHONPATH": str(world.PROJECT / "src"), "WORKBENCH_BINARY": str(world.PROGRAM),
                       "HAYSTACK_TELEMETRY_ENABLED": "False"}
        file = world.PROJECT / "examples" / f"{name}_example.py"
        done = subprocess.run([sys.executable, str(file)], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        for metric in ("correctness", "trust"):
            self.assertRegex(done.stdout, rf"{name.replace('_', '-')}: {metric} [1-5]\.\d\d \(n = 4\)")

    def test_langchain(self) -> None:
        self.run_example("langchain")

    def test_llama_index(self) -> None:
        self.run_example("llama_index")

    def test_haystack(self) -> None:
        self.run_example("haystack")


if __name__ == "__main__":
    unittest.main()
