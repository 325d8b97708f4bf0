"""A server of one's own: the workbench program on a folder, for as long as a with block lasts."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from typing import Any, Sequence

from .client import Client
from .errors import Unreachable


class LocalServer:
    """Starts `workbench serve` on a free port of this machine, and ends it.

        with LocalServer() as client:
            client.add_questions("faq", "questions.csv")

    program is WORKBENCH_BINARY unless given, then `workbench` of the PATH. data is the data directory; without one it is a new
    folder, which is deleted at the end. config is a workbench.yaml with providers and prices.
    """

    def __init__(self, data: str | os.PathLike[str] | None = None, *, program: str | None = None,
                 config: str | os.PathLike[str] | None = None) -> None:
        self._data, self._config = data, config
        self._program = program or os.environ.get("WORKBENCH_BINARY") or shutil.which("workbench")
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Client:
        return self.start()

    def __exit__(self, *_: Any) -> None:
        self.stop()

    def start(self) -> Client:
        """Starts the server and returns a client for it."""
        if not self._program:
            raise Unreachable("no_program", "there is no program called workbench on the PATH",
                              "install it, or say where it is with WORKBENCH_BINARY, or name a server with WORKBENCH_URL")
        self._folder = tempfile.TemporaryDirectory(prefix="workbench-", ignore_cleanup_errors=True)
        data = os.fspath(self._data) if self._data else os.path.join(self._folder.name, "data")
        command: Sequence[str] = [self._program, "--data", data, *(["--config", os.fspath(self._config)] if self._config else []),
                                  "serve", "--addr", "127.0.0.1:0", "--no-schedules"]
        with open(os.path.join(self._folder.name, "log"), "w+", encoding="utf-8") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, encoding="utf-8")
            assert self._process.stdout is not None
            for line in self._process.stdout:
                if line.startswith("http://"):
                    return Client(line.strip(), token="")
            log.seek(0)
            said = log.read().strip()
        self.stop()
        raise Unreachable("no_start", f"{self._program} did not start: {said}", "run the same command in a terminal")

    def stop(self) -> None:
        """Ends the server; its own folder goes too."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
