"""Pages of signed-in users are not cached, neither by browsers nor by proxies."""

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.exceptions import NoReverseMatch

from accounts.models import User
from games.play.models.match import Match

# The same for everybody, and must be revalidated.
MAY_BE_KEPT = {"notifications:service_worker"}


def pages(resolver: URLResolver | None = None, namespace: str = "") -> list[str]:
    """The names of all pages."""
    page_names = []
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLResolver):
            inner = f"{namespace}{entry.namespace}:" if entry.namespace else namespace
            page_names += pages(entry, inner)
        elif isinstance(entry, URLPattern) and entry.name:
            page_names.append(f"{namespace}{entry.name}")
    return page_names


@pytest.fixture
def inside(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


def urls(match: Match) -> list[tuple[str, str]]:
    """Each page that needs no argument, or the number of a match."""
    urls_by_name = []
    for name in pages():
        for arguments in ([], [match.pk], [match.preset]):
            try:
                urls_by_name.append((name, reverse(name, args=arguments)))
            except NoReverseMatch:
                continue
    return urls_by_name


# The next test has some of them.
@pytest.mark.soak
def test_no_page_of_a_signed_in_user_is_cached(inside: Client, match: Match) -> None:
    tried = urls(match)
    assert len(tried) > 60
    for name, url in tried:
        held = inside.get(url).headers.get("Cache-Control", "")
        assert "no-store" in held or name in MAY_BE_KEPT, (name, held)


def test_account_pages_and_public_pages_have_the_same_rule(inside: Client, match: Match) -> None:
    for url in (
        "/",
        f"/match/{match.pk}/",
        "/lobby/new/",
        "/account/2fa/",
        "/account/email/",
        "/help/",
        "/people/profile/Alice/",
        "/nowhere/",
    ):
        assert "no-store" in inside.get(url).headers["Cache-Control"], url


def test_a_public_page_may_be_cached(client: Client, db: None) -> None:
    for url in ("/help/", "/nowhere/"):
        assert "no-store" not in client.get(url).headers.get("Cache-Control", "")
