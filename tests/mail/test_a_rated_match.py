"""A rated match by e-mail alone, of a German and a French player who meet in the lobby.

Each command begins with a word that an earlier e-mail names in the reader's language.
"""

import re
from collections.abc import Callable
from email import message_from_bytes
from email.message import EmailMessage
from functools import cache
from typing import Any

from django.core import mail

from accounts.models import User
from games.mail import addresses
from games.outbox.delivery import dispatcher
from games.people.models import Report
from games.play.commands import finality
from games.play.models.match import Match, Status
from games.play.record.match_view import view_match
from games.ratings import numbering
from games.ratings.models import Rating, Unit
from games.rules.core.text.notation import write_move
from tests.mail import post
from tests.notifications.email.reading import parsed, sent_emails
from tests.play.match_helpers import People
from tests.servers import wait_for

TURNS = 4  # of both together; with fewer than two of each, resigning counts as not set up
QUOTED = re.compile("[„«]\\s?([^“»]{1,40}?)\\s?[“»]")
LANGUAGES = {"alice": "de", "bob": "fr"}


class Mailbox:
    """What a player has received, and what the e-mails have named so far.

    `send` takes a recipient and a raw message; `fetch` returns all e-mails sent so far.
    """

    def __init__(
        self,
        name: str,
        send: Callable[[str, bytes], None],
        fetch: Callable[[], list[EmailMessage]],
    ) -> None:
        self.address = f"{name}@example.org"
        self._send, self._fetch = send, fetch

    def emails(self) -> list[EmailMessage]:
        return [email for email in self._fetch() if email["To"] == self.address]

    def write(self, words: str, to: str) -> EmailMessage:
        """Write to an address; returns the receipt."""
        raw = post.written(self.address, words)
        number = message_from_bytes(raw)["Message-ID"]
        self._send(to, raw)
        return self.wait(lambda email: email["In-Reply-To"] == number)

    def answer(self, words: str, expected: str) -> str:
        """Reply to the newest e-mail; returns the text of the receipt, in one line."""
        newest = self.emails()[-1]
        first = words.splitlines()[-1].split()[0]
        named = {quoted.split()[0] for email in self.emails() for quoted in quotations(email)}
        assert first in named, f"No e-mail names {first}, only {sorted(named)}."
        receipt = self.write(words, newest["Reply-To"])
        assert receipt["X-Estafette-Outcome"] == expected, body(receipt)
        return body(receipt)

    def wait(self, is_it: Callable[[EmailMessage], bool]) -> EmailMessage:
        """The newest e-mail of which this is true, as soon as there is one."""
        wait_for(lambda: any(map(is_it, self.emails())), "An e-mail should come.", 60)
        return [email for email in self.emails() if is_it(email)][-1]

    def wait_for_more_than(self, count: int) -> None:
        wait_for(lambda: len(self.emails()) > count, "Another e-mail should come.", 60)

    def read(self, words: str) -> str:
        """The text of the newest e-mail with these words, as soon as there is one."""
        return body(self.wait(lambda email: words in body(email)))


@cache  # read again with each message
def body(email: EmailMessage) -> str:
    """The text of an e-mail in one line."""
    part = email.get_body(("plain",))
    assert part is not None
    return re.sub("[ \r\n]+", " ", str(part.get_content()))


def quotations(email: EmailMessage) -> list[str]:
    return QUOTED.findall(body(email))


def play(
    german: Mailbox,
    french: Mailbox,
    a_move: Callable[[], tuple[str, str]],
    count: Callable[[], Any],
) -> None:
    """The whole match. `a_move`: who is to move and a move; `count`: rate what has ended."""
    for box, hilfe in ((german, "hilfe"), (french, "aide")):
        assert box.write("?", addresses.service_address())["X-Estafette-Outcome"] == "shown"
        box.answer(hilfe, "shown")
    german.answer("platz domino 3d gewertet", "offered")
    (number,) = re.findall(r"rejoindre (\d+)", french.answer("salon", "shown"))
    assert "classement 1500?" in body(french.emails()[-1])
    french.answer(f"rejoindre {number}", "accepted")
    german.read("Das Ergebnis zählt für beide Wertungszahlen")
    for box, random, keep in ((german, "zufällig", "behalten"), (french, "hasard", "garder")):
        box.answer(random, "asked")
        box.answer(keep, "set-up")
    words_of = {german.address: "sag Guten Tag!", french.address: "dis Bonjour !"}
    for turn in range(TURNS):
        mover, move = a_move()
        box, other = (german, french) if mover == german.address else (french, german)
        words = words_of.pop(mover, "")
        box.wait(lambda email: email["Subject"].startswith("Partie") and "d4-d5" in body(email))
        # An offer on one's own turn would wait for the move, and go with its e-mail.
        if turn >= TURNS - 2:
            refuse_an_offer(other, box, by_german=other is german)
        before = len(other.emails())
        receipt = box.write("\n".join(filter(None, (move, words))), box.emails()[-1]["Reply-To"])
        assert receipt["X-Estafette-Outcome"] == "played", body(receipt)
        # Its e-mail shows the turn to which the next move belongs.
        other.wait_for_more_than(before)
        if words:
            other.read(f"> {words.partition(' ')[2]}")
    for box, nonsense in ((german, "Bitte Kaffee"), (french, "signaler Alice")):
        receipt = box.write(nonsense, box.emails()[-1]["Reply-To"])
        assert receipt["X-Estafette-Outcome"] == "unread"
    assert "gewinnt Bob" in german.answer("aufgeben", "asked")
    german.answer("ja", "resigned")
    assert "revanche" in french.read("contre Alice est terminée")
    count()
    french.answer("place domino 3d classée", "refused")
    french.answer("parties", "shown")
    french.answer("place domino 3d classée", "offered")
    (rating,) = re.findall(r"Bob, [^;]*; Wertungszahl (\d+)", german.answer("lobby", "shown"))
    assert int(rating) > 1500


def refuse_an_offer(offerer: Mailbox, other: Mailbox, *, by_german: bool) -> None:
    offerer.answer("remis" if by_german else "nulle", "offered")
    other.read("propose la nulle" if by_german else "bietet in Partie")
    other.answer("refuser" if by_german else "ablehnen", "declined")
    offerer.read("lehnt das Remis" if by_german else "refuse la nulle")


def test_a_rated_match_by_mail(who: People) -> None:
    for name, language in LANGUAGES.items():
        User.objects.filter(email=f"{name}@example.org").update(language=language)
    sent: list[EmailMessage] = []

    def fetch() -> list[EmailMessage]:
        mail.outbox = []
        dispatcher.drain()
        sent.extend(map(parsed, sent_emails()))
        return sent

    def a_move() -> tuple[str, str]:
        match = Match.objects.get(status=Status.RUNNING)
        user = match.players.get(to_act=True).user
        view = view_match(match.pk, user)
        return user.email, write_move(view.rules, view.observation.moves[0])

    def count() -> None:
        finality.sweep()
        while dispatcher.drain():
            pass
        numbering.count()

    boxes = [Mailbox(name, post.take, fetch) for name in LANGUAGES]
    play(boxes[0], boxes[1], a_move, count)
    assert Unit.objects.count() == 1 and Rating.objects.count() == 2
    assert not Report.objects.exists()
