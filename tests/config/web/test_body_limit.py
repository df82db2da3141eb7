"""Request bodies are limited by their form; longer ones are refused unread."""

from importlib import import_module
from io import BytesIO
from pathlib import Path

import pytest
from django.forms import CharField, Form, JSONField
from django.forms.forms import BaseForm
from django.test import Client
from django.urls import reverse

from accounts.models import User
from config.web.middleware import MAX_BODY_BYTES
from games.play.models.match import Match
from games.play.models.setup import SavedSetup

pytestmark = pytest.mark.django_db
KIB = 1024


@pytest.fixture
def browser(alice: User) -> Client:
    client = Client()
    client.force_login(alice)
    return client


@pytest.mark.parametrize("path", ["/account/login/", "/lobby/new/", "/nowhere/", "/admin/"])
def test_a_form_that_is_too_long_is_refused_in_a_sentence(path: str) -> None:
    answer = Client().post(path, {"login": "x" * MAX_BODY_BYTES})
    assert answer.status_code == 413
    assert "This form takes at most 128 KiB." in answer.content.decode()


def test_a_length_with_too_many_digits_is_too_long() -> None:
    answer = Client().post("/account/login/", {"login": "x"}, CONTENT_LENGTH="9" * 5_000)
    assert answer.status_code == 413


def test_no_file_is_written_to_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for size, path in ((3 * KIB * KIB, "/account/login/"), (100 * KIB, "/account/login/")):
        Client().post(path, {"login": BytesIO(b"x" * size)})
    assert not list(tmp_path.iterdir())


def test_a_long_record_is_still_accepted(browser: Client) -> None:
    path = reverse("archive:new_record")
    assert browser.post(path, {"text": "x" * (250 * KIB)}).status_code == 422
    assert browser.post(path, {"text": "x" * (1025 * KIB)}).status_code == 413


def test_a_long_set_up_is_refused_with_one_fault(
    browser: Client, match: Match, alice: User
) -> None:
    path = reverse("play:new_setup", args=["lattaque-en"])
    page = browser.post(path, {"do": "read", "text": "a " * 30_000})
    assert page.status_code == 422
    assert "A set-up has at most 1000 characters" in page.content.decode()
    assert not SavedSetup.objects.filter(user=alice).exists()


# So that the same forms are found whichever other tests run.
for module in ("accounts.forms", "accounts.sign_in.second_factor_forms", "config.urls"):
    import_module(module)


def forms_of(kind: type[BaseForm]) -> list[type[BaseForm]]:
    forms = [kind] if kind.__module__.startswith(("accounts.", "games.")) else []
    return forms + [form for each in kind.__subclasses__() for form in forms_of(each)]


@pytest.mark.parametrize("form", sorted(set(forms_of(Form)), key=str), ids=str)
def test_every_text_field_of_ours_has_a_maximum_length(form: type[BaseForm]) -> None:
    for name, field in form.base_fields.items():  # type: ignore[attr-defined]
        if isinstance(field, CharField) and not isinstance(field, JSONField):
            assert field.max_length or (form.__name__, name) == ("RecordForm", "text"), name
