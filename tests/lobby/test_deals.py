"""The deal of domino: a seed fixed with the offer, and the words of both players."""

import unicodedata
from collections.abc import Callable

import pytest

from accounts.models import User
from accounts.people.erasure import erase
from games.lobby import commands
from games.lobby.models import Invitation, InvitationKind
from games.play.commands import endings
from games.play.models.match import Match
from games.play.record.proofs import bundles
from games.play.record.sealed import match_secrets
from games.play.terms import Terms
from games.rules.proof import deal
from tests.play.forms import client_of

pytestmark = pytest.mark.django_db

Offer = Callable[..., Invitation]


def line_0(match: Match) -> str:
    return next(line for line in bundles.bundle(match.pk).splitlines() if line.startswith("ply "))


def test_an_offer_fixes_one_seed_per_match(alice: User, bob: User, offer: Offer) -> None:
    single = offer(alice, preset="domino", as_set=False)
    as_set = offer(alice, preset="domino", as_set=True)
    assert [len(each.commitments.split()) for each in (single, as_set)] == [1, 2]
    assert len({*single.commitments.split(), *as_set.commitments.split()}) == 3
    assert offer(alice, preset="lattaque-en").commitments == ""


def test_the_match_has_the_commitment_and_the_words_of_both(alice: User, bob: User) -> None:
    terms = Terms("domino", as_set=True)
    made = commands.offer(alice, terms, kind=InvitationKind.SEAT, words="fair wind")
    first = commands.accept(made.pk, bob, words="all's well")
    for match, commitment in zip((first, first.twin), made.commitments.split(), strict=True):
        chained = line_0(match)
        assert f'["{commitment}",' in chained
        for words in ("fair wind", "all's well"):
            assert deal.words_hash(words) in chained
            assert words not in chained


def test_a_seat_that_is_offered_again_has_another_seed(alice: User, bob: User) -> None:
    terms = Terms("domino", as_set=False)
    made = commands.offer(alice, terms, kind=InvitationKind.SEAT, repeats=1, words="fair wind")
    commands.accept(made.pk, bob)
    again = Invitation.objects.get(repeat_of=made)
    assert again.words == "fair wind"
    assert again.commitments and again.commitments != made.commitments


def test_the_page_shows_the_commitment_and_asks_for_words(
    alice: User, bob: User, offer: Offer
) -> None:
    made = offer(alice, preset="domino", as_set=False)
    page = client_of(bob).get(made.get_absolute_url()).content.decode()
    assert made.commitments in page
    assert 'name="words"' in page
    plain = client_of(bob).get(offer(alice).get_absolute_url()).content.decode()
    assert 'name="words"' not in plain


def test_words_are_hashed_as_one_composed_line(alice: User, bob: User, offer: Offer) -> None:
    made = offer(alice, preset="domino", as_set=False)
    typed = f"  {unicodedata.normalize('NFD', 'schöner')}\t Wind "
    client_of(bob).post(f"/lobby/{made.pk}/accept/", {"words": typed})
    made.refresh_from_db()
    assert deal.words_hash("schöner Wind") in line_0(made.match)


def test_too_many_words_are_refused(alice: User, bob: User, offer: Offer) -> None:
    made = offer(alice, preset="domino", as_set=False)
    client = client_of(bob)
    page = client.post(f"/lobby/{made.pk}/accept/", {"words": "x" * 101}, follow=True)
    assert "at most 100 characters" in page.content.decode()
    made.refresh_from_db()
    assert made.match is None


def test_erasing_a_player_erases_their_words_and_no_proof(alice: User, bob: User) -> None:
    terms = Terms("domino", as_set=False)
    made = commands.offer(alice, terms, kind=InvitationKind.SEAT, words="fair wind")
    match = commands.accept(made.pk, bob, words="all's well")
    endings.abort(match.pk, bob)
    before = bundles.bundle(match.pk)
    erase(alice)
    made.refresh_from_db()
    assert made.words == ""
    assert sorted(match_secrets.read(match.pk).deal.words) == ["", "all's well"]
    assert bundles.bundle(match.pk) == before
