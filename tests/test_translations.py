"""Properties of every catalogue."""

import ast
import gettext
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import allauth
import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import to_locale

from tests import tiers
from tests.floors import at_least
from tests.notifications.email.every_email import every_email
from tests.notifications.email.reading import text
from tests.play import match_helpers

# The site's own catalogue is the first; another says what the packages say, as this house says it.
CATALOGUES = {
    (folder.name, code): path
    for folder in settings.LOCALE_PATHS
    for code, _name in settings.LANGUAGES
    if (path := folder / to_locale(code) / "LC_MESSAGES" / "django.po").exists()
}
SITE = settings.LOCALE_PATHS[0].name
KEYWORD = re.compile(r'(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?) (".*")')
PLACEHOLDER = re.compile(r"%(?:\((?P<name>\w+)\))?[diouxXeEfFgGcrs]|%%")
TAG = re.compile(r"</?\w[^>]*>")
TRANSLATE = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy"}


@dataclass
class Entry:
    """A message: its parts by keyword, and the flags of the comment above it."""

    flags: set[str] = field(default_factory=set)
    parts: dict[str, str] = field(default_factory=dict)

    @property
    def forms(self) -> list[str]:
        return [words for keyword, words in self.parts.items() if keyword.startswith("msgstr")]

    @property
    def originals(self) -> list[str]:
        """The English: the singular alone, or the singular and the plural."""
        keywords = ("msgid", "msgid_plural")
        return [self.parts[keyword] for keyword in keywords if keyword in self.parts]


def read(path: Path) -> list[Entry]:
    """The entries of a .po file, without its head and without what is obsolete."""
    entries = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        entry, keyword = Entry(), ""
        for line in block.splitlines():
            if line.startswith("#,"):
                entry.flags |= {flag.strip() for flag in line[2:].split(",")}
            elif match := KEYWORD.fullmatch(line):
                keyword = match[1]
                entry.parts[keyword] = ast.literal_eval(match[2])
            elif line.startswith('"'):
                entry.parts[keyword] += ast.literal_eval(line)
        if entry.parts.get("msgid"):
            entries.append(entry)
    return entries


def compiled(path: Path) -> dict[Any, str]:
    """What the .mo file of a .po file contains: by message, or by message and plural form."""
    with path.with_suffix(".mo").open("rb") as file:
        held = dict(vars(gettext.GNUTranslations(file))["_catalog"])
    held.pop("", None)
    return held


def expected(entry: Entry) -> dict[Any, str]:
    """What an entry is in a .mo file."""
    context = entry.parts.get("msgctxt")
    key = entry.parts["msgid"] if context is None else f"{context}\x04{entry.parts['msgid']}"
    if "msgid_plural" not in entry.parts:
        return {key: entry.parts["msgstr"]}
    return {(key, number): words for number, words in enumerate(entry.forms)}


def placeholders(words: str) -> Counter[str]:
    return Counter(match[0] for match in PLACEHOLDER.finditer(words))


@pytest.fixture(
    scope="module", params=list(CATALOGUES.values()), ids=["-".join(key) for key in CATALOGUES]
)
def catalogue(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


@pytest.fixture(scope="module")
def entries(catalogue: Path) -> list[Entry]:
    return at_least(5, read(catalogue))


# The site's languages other than English.
OTHERS = [code for folder, code in CATALOGUES if folder == SITE]


@pytest.fixture(params=OTHERS)
def code(request: pytest.FixtureRequest) -> str:
    """A language of the site other than English."""
    return str(request.param)


@pytest.fixture
def held(code: str) -> dict[Any, str]:
    return compiled(CATALOGUES[SITE, code])


def test_every_message_is_translated_and_none_is_fuzzy(entries: list[Entry]) -> None:
    for entry in entries:
        assert "fuzzy" not in entry.flags, entry.originals
        assert entry.forms, entry.originals
        assert all(words.strip() for words in entry.forms), entry.originals


def test_placeholders_and_tags_match_the_original(entries: list[Entry]) -> None:
    for entry in entries:
        # A singular may leave the number out: "A challenge is waiting for your answer."
        wanted = [placeholders(words) for words in entry.originals]
        tags = sorted(TAG.findall(entry.originals[-1]))
        for words in entry.forms:
            assert placeholders(words) in wanted, words
            assert sorted(TAG.findall(words)) == tags, words


def test_every_format_can_be_filled(entries: list[Entry]) -> None:
    for entry in entries:
        if "python-format" not in entry.flags:
            continue
        for words in entry.forms:
            placeholder_matches = [
                match for match in PLACEHOLDER.finditer(words) if match[0] != "%%"
            ]
            named = {match["name"]: 1 for match in placeholder_matches if match["name"]}
            assert words % (named or (1,) * len(placeholder_matches)), words


def test_the_last_form_of_a_plural_names_the_number(entries: list[Entry]) -> None:
    for entry in entries:
        if "msgid_plural" in entry.parts:
            assert placeholders(entry.forms[-1]) == placeholders(entry.originals[-1]), entry.forms


def test_the_compiled_catalogue_is_current(catalogue: Path, entries: list[Entry]) -> None:
    wanted: dict[Any, str] = {}
    for entry in entries:
        wanted |= expected(entry)
    assert compiled(catalogue) == wanted


def test_every_override_of_allauth_still_exists_in_allauth() -> None:
    others = [(code, path) for (folder, code), path in CATALOGUES.items() if folder != SITE]
    for code, path in at_least(3, others):
        theirs = Path(allauth.__file__).parent / "locale" / to_locale(code)
        source_entries = read(
            theirs / "LC_MESSAGES" / "django.po"
        )  # compiled, their English is empty
        ours = at_least(1, compiled(path))
        assert {*ours} <= {key for entry in source_entries for key in expected(entry)}


@pytest.mark.django_db
def test_pages_are_in_the_language(code: str, held: dict[Any, str]) -> None:
    who = match_helpers.people()
    match = match_helpers.running_match(who, "a4-a5", "j7xj4")
    anybody = Client(headers={"accept-language": code})
    who.alice.language = code
    who.alice.save()
    player = Client()
    player.force_login(who.alice)
    for client, page, words in (
        (anybody, "/", "Hidden armies, by correspondence"),
        (anybody, "/help/", "How a match works"),
        (anybody, "/lobby/", "There are no open seats at the moment."),
        (player, "/", "My matches"),
        (player, f"/match/{match.pk}/", "Last move"),
    ):
        answer = client.get(page)
        content = answer.content.decode()
        assert answer.status_code == 200, page
        assert f'<html lang="{code}"' in content, page
        assert held[words] in content, page


@pytest.mark.django_db
@pytest.mark.parametrize("code", tiers.parameters(OTHERS, fast=OTHERS[:1]))
def test_every_email_is_in_the_language(code: str, held: dict[Any, str]) -> None:
    who = match_helpers.people()
    for person in who:
        person.language = code
        person.save()
    words = held["You get this e-mail because you play on Estafette."]
    for name, email in at_least(15, every_email(who).items()):
        assert words in text(email).replace("\n", " "), name


@pytest.mark.django_db
def test_no_space_follows_a_chinese_full_stop() -> None:
    who = match_helpers.people()
    for person in who:
        person.language = "zh-hant"
        person.save()
    for name, email in at_least(15, every_email(who).items()):
        assert "。 " not in text(email), name


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", "29 Nov 2026"),
        ("de", "29. Nov. 2026"),
        ("fr", "29 nov. 2026"),
        ("zh-hant", "2026年11月29日"),
    ],
)
def test_dates_have_the_usual_format(language: str, written: str) -> None:
    with translation.override(language):
        assert date_format(date(2026, 11, 29), "DATE_FORMAT") == written


def calls_in_f_strings(path: Path) -> Iterator[int]:
    """The lines where a message stands within an f-string, in which xgettext does not look."""
    source = path.read_text(encoding="utf-8")
    if not any(f"{name}(" in source for name in TRANSLATE):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            for inner in ast.walk(node):
                if (
                    isinstance(inner, ast.Call)
                    and isinstance(inner.func, ast.Name)
                    and inner.func.id in TRANSLATE
                    and isinstance(inner.args[0], ast.Constant)
                ):
                    yield node.lineno


def test_no_message_is_in_an_f_string() -> None:
    for room in ("accounts", "config", "games", "lib"):
        for path in at_least(5, (settings.BASE_DIR / room).rglob("*.py")):
            assert not list(calls_in_f_strings(path)), path
