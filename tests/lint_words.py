"""Linter for words: spelling (codespell), and words that docs/glossary.md has replaced.

Reads the text files of CLEAN; of Python files the comments, docstrings and names, since other
strings may quote the site. To add a folder, clean it and add it to CLEAN.

    python -m tests.lint_words [PATH ...]
"""

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
CLEAN = [
    *("config", "games", "accounts", "lib", "deploy", ".ci", ".github", ".devcontainer"),
    *(":(glob)docs/*.md", "docs/running", "docs/games", "docs/api/*.md"),
    *("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"),
    *("Makefile", "manage.py", "pyproject.toml", "static/js", "static/css"),
    "templates",
    "tests",
]
SPELLING = [*CLEAN, "templates", "docs"]
NOT_TEXT = (".svg", ".png", ".mo", ".po", ".ico", ".txt.gz", ".sqlite3")


class Rule(NamedTuple):
    """A pattern that is not used, the words to use instead, and a text that it finds."""

    pattern: re.Pattern[str]
    instead: str
    example: str


def _rule(pattern: str, instead: str, example: str) -> Rule:
    return Rule(re.compile(pattern, re.IGNORECASE), instead, example)


E_MAIL_VERBS = (
    "send|sends|sent|mail|mails|answer|answers|get|gets|receive|receives|deliver|delivers"
)
RULES = [
    _rule(
        rf"\b(?:{E_MAIL_VERBS}) (?:a|the|every|each|this|no) letters?\b", "e-mail", "send a letter"
    ),
    _rule(
        r"\bletters? (?:is sent|are sent|leaves?|arrives?|comes? in)\b", "e-mail", "letters leave"
    ),
    _rule(r"\btold\b", "notified, shown, reported, said", "players are told"),
    _rule(r"\btells? of\b", "reports, describes", "a log that tells of it"),
    _rule(r"\bwhoever\b", "anyone who, users who", "whoever reads it"),
    _rule(r"\banew\b", "again, from scratch, re-", "sealed anew"),
    _rule(
        r"\bbeside\b(?! (?:the|a|an|its|each|every|one) (?:board|square|piece|army|table)s?\b)",
        "next to, besides, with",
        "a file beside the copy",
    ),
    _rule(
        r"\b(?:stands?|stood) in (?:the|a|an|its|our|every|each) "
        r"(?:row|file|database|table|column|header|module|page|list|log|line|setting|docstring)s?\b",
        "is in, is stored in",
        "the reason stands in the log",
    ),
    _rule(
        r"\bknows? nothing of\b", "does not import, does not depend on", "it knows nothing of it"
    ),
    _rule(r"\bfor want of\b", "for lack of, without", "for want of a server"),
    _rule(r"\b(?:to|can|cannot|not) be had\b", "is available, can be used", "it is not to be had"),
]
# Names of variables, parameters and fields; RULES has another vague name already.
VAGUE_NAMES = Rule(
    re.compile(r"found|facts|asked|mine|said"),
    "a name that says what it holds: invitation, rows, sentence",
    "found = rows.first()",
)


class Complaint(NamedTuple):
    """A word in a file that should be another one."""

    file: str
    line: int
    word: str
    instead: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: “{self.word}”; use: {self.instead}"


def complaints(name: str, source: str) -> Iterator[Complaint]:
    """What the rules find in a file's text."""
    texts = _python(source) if name.endswith(".py") else _prose(source)
    for line, text in texts:
        for rule in RULES:
            for match in rule.pattern.finditer(text):
                yield Complaint(
                    name, line + text.count("\n", 0, match.start()), match[0], rule.instead
                )
    if name.endswith(".py"):
        for line, word in _bound(source):
            if VAGUE_NAMES.pattern.fullmatch(word):
                yield Complaint(name, line, word, VAGUE_NAMES.instead)


def _prose(source: str) -> Iterator[tuple[int, str]]:
    """Number and text of each line that is not in a fenced block of code."""
    in_code = False
    for number, line in enumerate(source.splitlines(), 1):
        if line.startswith("```"):
            in_code = not in_code
        elif not in_code:
            yield number, line


def _python(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of comments, docstrings and names; underscores become blanks."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
        elif token.type == tokenize.NAME:
            yield token.start[0], token.string.replace("_", " ")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield first.lineno, str(first.value.value)


def _bound(source: str) -> Iterator[tuple[int, str]]:
    """Line and name of variables, fields and parameters where they get their value."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.lineno, node.name


def files(paths: list[str]) -> list[str]:
    """The text files of the repository in these paths."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "--", *paths],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    return [file for file in listed if not file.endswith(NOT_TEXT) and (ROOT / file).is_file()]


def main(paths: list[str]) -> int:
    """Check these paths, or CLEAN; returns the exit code."""
    words = [
        complaint
        for file in files(paths or CLEAN)
        for complaint in complaints(file, (ROOT / file).read_text())
    ]
    print(*sorted(words), sep="\n", end="\n" if words else "")
    spelling = subprocess.run(
        [sys.executable, "-m", "codespell_lib", *files(paths or SPELLING)], cwd=ROOT, check=False
    )
    return int(bool(words or spelling.returncode))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
