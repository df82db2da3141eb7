"""Sandboxed child processes: a fork reaches nothing but its question, and gives root up."""

import resource
from collections.abc import Callable, Iterator

import pytest

from games.house.thinking import child_client as thinking
from games.mail.reading.child import client as mail
from games.play.pasted import reader as pasted
from lib.child_processes import Child

SERVERS = {
    "thinking": ("games.house.thinking.child_server", thinking.PROGRAM),
    "mail": ("games.mail.reading.child.server", mail.PROGRAM),
    "pasted": ("games.play.pasted.server", pasted.PROGRAM),
}
# The real server with its limits and its warm-up. Its forks run the question.
PLANTED = (
    "import sys, os, _socket, resource, _ctypes; sys.path.insert(0, sys.argv[1])\n"
    "from lib import child_server\n"
    "right = child_server.serve\n"
    "def run(question):\n"
    "    try: found = eval(question)\n"
    "    except (OSError, KeyError, ValueError): return b'nothing'\n"
    "    return repr(found).encode()\n"
    "child_server.serve = lambda answer, limits, warm_up: right(run, limits, warm_up)\n"
)
REACHES = {
    "a file": "open('/etc/hostname')",
    "a file that is written": "open('/tmp/reached', 'w')",
    "the folder of the program": "os.listdir(sys.path[0])",
    "an internet connection": "_socket.socket()",
    "a local connection": "_socket.socket(_socket.AF_UNIX)",
    "a pair of sockets": "_socket.socketpair()",
    "a pipe": "os.pipe()",
    "a copy of its pipe": "os.dup(2)",
    "a process": "os.fork()",
    "a thread": "(__import__('_thread').start_new_thread(print, ()), 1)",
    "a program": "os.posix_spawn('/bin/true', ['true'], {})",
    "the environment": "os.environ['PATH']",
    "the server's environment": "open(f'/proc/{os.getppid()}/environ', 'rb').read()",
    "a higher limit of files": "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))",
    "a higher limit of processes": "resource.setrlimit(resource.RLIMIT_NPROC, (64, 64))",
    "more memory": "resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "the rights of root": "os.setuid(0)",
}


@pytest.fixture(scope="module")
def ask() -> Iterator[Callable[[str, str], str]]:
    """`ask("mail", "1 + 1")` evaluates an expression in a fork of that server."""
    children: dict[str, Child] = {}

    def evaluated(name: str, expression: str) -> str:
        module, _program = SERVERS[name]
        program = f"{PLANTED}from {module} import serve; serve()"
        child = children.setdefault(name, Child(program, answer_seconds=60))
        return child.ask(expression.encode()).decode()

    yield evaluated
    for child in children.values():
        child.stop()


@pytest.mark.parametrize("name", SERVERS)
def test_the_program_is_the_one_of_the_service(name: str, ask: Callable[[str, str], str]) -> None:
    module, program = SERVERS[name]
    assert f"from {module} import serve" in program
    assert ask(name, "6 * 7") == "42"


@pytest.mark.parametrize("reach", REACHES)
@pytest.mark.parametrize("name", SERVERS)
def test_a_fork_reaches_no_file_connection_process_or_setting(
    name: str, reach: str, ask: Callable[[str, str], str]
) -> None:
    assert ask(name, REACHES[reach]) in ("nothing", ""), "It is refused, or the fork dies."


@pytest.mark.parametrize("name", SERVERS)
def test_a_fork_does_not_have_the_pipes_of_its_server(
    name: str, ask: Callable[[str, str], str]
) -> None:
    expression = "[os.path.exists(f'/dev/fd/{number}') for number in range(3)]"
    assert ask(name, expression) == "[False, False, True]", "Only the third, which is /dev/null."


def test_limits_are_those_of_the_documentation(ask: Callable[[str, str], str]) -> None:
    limits = (
        "[resource.getrlimit(each) for each in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC)]"
    )
    assert ask("mail", limits) == "[(0, 0), (0, 0)]"
    seconds = ask("mail", "resource.getrlimit(resource.RLIMIT_CPU)")
    assert seconds == "(2, 2)"
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 0, "The limits are the fork's alone."
