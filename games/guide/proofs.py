"""How proofs work, for people; the public keys; and the program that checks proofs."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.play.record.proofs import signing
from games.rules.proof import verify

PROGRAM = Path(verify.__file__)


@require_safe
def explained(request: HttpRequest) -> HttpResponse:
    """What proofs are, with the picture of the envelopes, the keys and the program's hash."""
    context = {"keys": signing.public_keys(), "program_hash": sha256(program_bytes()).hexdigest()}
    return render(request, "help/proofs.html", context)


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """The public keys, one a line, the newest first."""
    lines = "".join(f"{key}\n" for key in signing.public_keys())
    return HttpResponse(lines, content_type="text/plain; charset=us-ascii")


@require_safe
def program(request: HttpRequest) -> HttpResponse:
    """The program verify.py, to the byte."""
    headers = {"Content-Disposition": 'attachment; filename="verify.py"'}
    return HttpResponse(program_bytes(), content_type="text/plain; charset=utf-8", headers=headers)


@cache
def program_bytes() -> bytes:
    """The bytes of verify.py; they change only with the version of the service."""
    return PROGRAM.read_bytes()
