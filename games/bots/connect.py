"""Connects a program that speaks the line protocol to a site: the program plays over the API.

python -m games.bots connect URL [options] -- COMMAND

It needs the standard library alone, so it may be copied, and keeps no state, so it may be stopped.
"""

import argparse
import functools
import hashlib
import http.client
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

TOKEN_VARIABLE = "ESTAFETTE_TOKEN"  # noqa: S105 - its name.
SOCKET_SECONDS, SHORTEST_WAIT_SECONDS, LONGEST_WAIT_SECONDS = 30, 1.0, 300.0
ATTEMPTS_ONCE = 6  # of a request, with --once; otherwise it is repeated until it is answered
MAX_ANSWER_BYTES = 65_536
NOT_ALLOWED = 2  # exit status
WANTING = ("setup", "move")  # lines that want an answer
# Codes of problems after which the match is read again: something else was played, or it is over.
MOVED_ON = ("stale-ply", "not-your-turn", "match-over", "too-late", "not-found", "key-reused")
note = functools.partial(print, "connect:", file=sys.stderr, flush=True)


class Service:
    """The API of a site, over one connection that is kept open."""

    def __init__(self, url: str, token: str, attempts: int | None) -> None:
        parts = urlsplit(url)
        kind = getattr(http.client, f"{parts.scheme.upper()}Connection")
        self.connection = kind(parts.hostname, parts.port, timeout=SOCKET_SECONDS)
        self.root = parts.path.rstrip("/") + "/api/v1"
        self.headers = {"Authorization": f"Bearer {token}", "User-Agent": "estafette-connect/1"}
        self.attempts, self.known = attempts, dict[str, tuple[str, Any]]()  # ETags and contents

    def get(self, path: str) -> Any:
        """The content of a resource; None if there is none."""
        status, content = self._call("GET", path, {})
        return content if status == 200 else None

    def post(self, path: str, body: Any, key: str) -> str:
        """Send something: the code and detail of the problem, "" without one."""
        headers = {"Idempotency-Key": key, "Content-Type": "application/json"}
        status, content = self._call("POST", path, headers, body and json.dumps(body))
        return "" if status < 300 else f"{content.get('code', status)}: {content.get('detail')}"

    def _call(self, method: str, path: str, headers: Any, body: Any = None) -> tuple[int, Any]:
        """Status and content of a response; failures are waited out, what is known is kept."""
        tag, known = self.known.get(path, ("", None))
        headers |= self.headers | ({"If-None-Match": tag} if tag else {})
        wait, attempt = SHORTEST_WAIT_SECONDS, 0
        while True:
            attempt += 1
            try:
                self.connection.request(method, self.root + path, body, headers)
                response = self.connection.getresponse()
                text, status = response.read(), response.status
                if status == 401:
                    note("the service does not accept the token")
                    raise SystemExit(NOT_ALLOWED)
                if status == 304:
                    return 200, known
                if status // 100 in (2, 4) and status != 429:
                    is_lines = response.headers.get_content_subtype() == "x-ndjson"
                    lines = [json.loads(line) for line in text.splitlines() if line]
                    content = lines if is_lines else lines[0] if lines else {}
                    if status == 200 and not is_lines:
                        self.known[path] = response.headers.get("ETag", ""), content
                    return status, content
                problem, retry_after = f"status {status}", response.headers.get("Retry-After", "")
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.connection.close()
                problem, retry_after = type(error).__name__, ""
            if attempt == self.attempts:
                raise SystemExit(f"connect: {method} {path} failed: {problem}")
            seconds = max(wait, float(retry_after[:3]) if retry_after.isdecimal() else 0.0)
            if attempt > 1:  # The first time, a connection that was kept open may have closed.
                note(f"{method} {path}: {problem}; it is repeated in {seconds:g} s.")
            time.sleep(seconds)
            wait = min(2 * wait, LONGEST_WAIT_SECONDS)


class Program:
    """The process that plays one match."""

    def __init__(self, command: list[str], wall_seconds: float) -> None:
        pipe = subprocess.PIPE
        others = {name: text for name, text in os.environ.items() if name != TOKEN_VARIABLE}
        # The command comes from the person who runs this.
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=others)  # noqa: S603
        self.wall_seconds, self.heard = wall_seconds, -1  # the `at` of the last line it was given

    def answer(self, lines: list[dict[str, Any]]) -> str:
        """Give it lines; its answer to the last one, "" without an answer."""
        # A process that is killed closes its pipes, which ends whatever waits for it here.
        timer = threading.Timer(self.wall_seconds, self.process.kill)
        timer.start()
        try:
            assert self.process.stdin and self.process.stdout  # noqa: S101 - for the type checker.
            for line in lines:
                self.process.stdin.write(json.dumps(line).encode() + b"\n")
                self.heard = line["at"]
            self.process.stdin.flush()
            if lines[-1]["ask"] not in WANTING:
                return ""
            return self.process.stdout.readline(MAX_ANSWER_BYTES).decode(errors="replace").strip()
        except OSError:
            return ""
        finally:
            timer.cancel()

    def close(self) -> None:
        """End the process."""
        try:
            self.process.communicate(timeout=2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()


class Connection:
    """Plays all matches of a token's account by programs, and answers challenges to it."""

    def __init__(self, service: Service, options: argparse.Namespace, token: str) -> None:
        self.service, self.options, self.token = service, options, token
        self.programs: dict[int, Program] = {}  # by match, the one used last at the end
        self.left: dict[int, int] = {}  # by match: the ply at which nothing more is to be done
        self.answered: set[int] = set()  # invitations

    def run(self) -> None:
        """Work until it is stopped, or once; then end all processes."""
        try:
            while True:
                self._work()
                if self.options.once:
                    return
                time.sleep(self.options.every)
        finally:
            self.service.connection.close()
            for program in self.programs.values():
                program.close()

    def _work(self) -> None:
        """Answer all that waits."""
        waiting = self.service.get("/waiting") or {"matches": [], "invitations": []}
        if [invitation for invitation in waiting["invitations"] if self._reply(invitation)]:
            waiting = self.service.get("/waiting") or waiting
        for turn in waiting["matches"]:
            if self.left.get(turn["match"]) != turn["ply"]:
                self._play(turn["match"], turn["preset"])
        ended = self.service.get("/matches?state=finished") if self.programs else None
        for match in {each["match"] for each in ended["matches"]} if ended else ():
            if match in self.programs:
                self._ask(match, "")
                self.programs.pop(match).close()

    def _reply(self, invitation: dict[str, Any]) -> bool:
        """Accept or decline a challenge; False if there is nothing to do, or it was refused."""
        number, presets = invitation["invitation"], self.options.presets
        action = "accept" if not presets or invitation["preset"] in presets else "decline"
        if number in self.answered or (action == "decline" and not self.options.decline):
            return False
        self.answered.add(number)
        path, key = f"/invitations/{number}/{action}", f"invitation-{number}-{action}"
        if problem := self.service.post(path, None, key):
            note(f"invitation {number}: {problem}")
        return not problem

    def _play(self, match: int, preset: str) -> None:
        """Answer a turn; a wrong answer is asked for once more of a new process."""
        for _try in range(2):
            line, answer = self._ask(match, preset)
            if line.get("ask") not in WANTING:
                return
            ply = self.left[match] = line["at"]
            body = {"setup": answer} if line["ask"] == "setup" else {"move": answer, "ply": ply}
            path = f"/matches/{match}/{'setup' if 'setup' in body else 'moves'}"
            problem = "the program gave no answer"
            if answer:
                problem = self.service.post(path, body, f"match-{match}-ply-{ply}")
            if not problem:
                return
            self.programs.pop(match).close()
            if problem.partition(":")[0] in MOVED_ON:
                return
            note(f"match {match}, ply {ply}: {problem}")

    def _ask(self, match: int, preset: str) -> tuple[dict[str, Any], str]:
        """The newest line, {} if there is none, and the program's answer, "" without one."""
        program = self.programs.pop(match, None)
        after = f"?after={program.heard}" if program and program.heard >= 0 else ""
        lines = self.service.get(f"/matches/{match}/lines{after}")
        self.programs[match] = program = program or self._start(match, preset)
        return (lines[-1], program.answer(lines)) if lines else ({}, "")

    def _start(self, match: int, preset: str) -> Program:
        """A new process; the one used least recently ends if there are too many."""
        while len(self.programs) >= self.options.at_most:
            self.programs.pop(next(iter(self.programs))).close()
        # Without --seed: the same after a restart, and unknown to opponents.
        own = int(hashlib.sha256(f"{self.token} {match}".encode()).hexdigest()[:8], 16)
        seed = own if self.options.seed is None else self.options.seed
        return Program([*self.options.command, preset, "--seed", str(seed)], self.options.wall)


def main(arguments: list[str]) -> int:
    """Play until it is stopped, or once; the result is the exit status."""
    parser = argparse.ArgumentParser(prog="connect", usage="connect URL [options] -- COMMAND")
    parser.add_argument("url", help="of the site")
    parser.add_argument("--token-file", type=Path, help=f"otherwise {TOKEN_VARIABLE} has the token")
    parser.add_argument("--presets", type=lambda keys: keys.split(","), help="of challenges: all")
    parser.add_argument("--decline", action="store_true", help="decline other challenges")
    parser.add_argument("--at-most", type=int, default=20, help="processes at once: 20")
    parser.add_argument("--every", type=float, default=15.0, help="seconds between polls: 15")
    parser.add_argument("--wall", type=float, default=600.0, help="seconds for an answer: 600")
    parser.add_argument("--seed", type=int, help="of all programs; otherwise each has its own")
    parser.add_argument("--once", action="store_true", help="answer what waits, and end")
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:end])
    options.command = arguments[end + 1 :]
    if not options.command:
        parser.error("the program is missing: end with -- COMMAND")
    if not options.url.startswith(("http://", "https://")):
        parser.error("the URL has to be that of the site, such as https://play.example.org")
    try:
        file, variable = options.token_file, os.environ.get(TOKEN_VARIABLE, "")
        token = (file.read_text() if file else variable).strip()
        if not token.replace("_", "").isalnum():
            fault = "has more than letters, digits and _ on one line" if token else "is missing"
            parser.error(f"the token {fault}: --token-file or {TOKEN_VARIABLE}")
        service = Service(options.url, token, ATTEMPTS_ONCE if options.once else None)
        Connection(service, options, token).run()
    except OSError as error:
        raise SystemExit(f"connect: {error}") from None
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
