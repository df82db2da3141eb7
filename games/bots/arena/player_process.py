"""Player process: a command on a pipe, with the processor time and memory that it uses."""

import json
import os
import select
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
MAX_ANSWER_BYTES = 4_000


class NoAnswer(Exception):  # noqa: N818 - the arena counts it as a forfeit.
    """A player ended, or did not answer in time."""


class PlayerProcess:
    """The process of one player in one match."""

    def __init__(
        self, command: Sequence[str], preset: str, seed: int, hash_seed: int | None = None
    ) -> None:
        environment = dict(os.environ)
        if hash_seed is not None:
            environment["PYTHONHASHSEED"] = str(hash_seed)
        # The command comes from the person who runs the arena.
        self.process = subprocess.Popen(  # noqa: S603
            [*command, preset, "--seed", str(seed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        self.seconds: list[float] = []  # of processor time, of each answer

    def ask(self, line: Mapping[str, Any], wall_seconds: float) -> str:
        """The answer to a line; raises NoAnswer."""
        before = self._used()
        self.tell(line)
        answer = self._read(wall_seconds)
        self.seconds.append(self._used() - before)
        return answer

    def tell(self, line: Mapping[str, Any]) -> None:
        """Write a line without waiting for an answer; raises NoAnswer."""
        try:
            if self.process.stdin:
                self.process.stdin.write(json.dumps(line).encode() + b"\n")
                self.process.stdin.flush()
        except OSError as error:
            raise NoAnswer("The player has ended.") from error

    def _read(self, wall_seconds: float) -> str:
        output = self.process.stdout
        if output is None:
            raise NoAnswer("The player has no output.")
        ready, _, _ = select.select([output], [], [], wall_seconds)
        if not ready:
            raise NoAnswer(f"No answer within {wall_seconds:g} s.")
        answer = output.readline(MAX_ANSWER_BYTES).decode(errors="replace").strip()
        if not answer:
            raise NoAnswer("The player has ended.")
        return answer

    def _used(self) -> float:
        """Its processor time so far, user and system, in seconds."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND

    def peak_kilobytes(self) -> int:
        """Its peak memory; 0 if the process has ended."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return 0
        sizes = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
        return int(sizes[0]) if sizes else 0

    def close(self) -> None:
        """End the process."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                try:
                    pipe.close()
                except OSError:
                    continue
        try:
            self.process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
