"""E-mails as witnesses: the proof lines at the end of an e-mail, and a player's receipt.

An e-mail that its reader keeps shows that the service has not changed the history since
(docs/proofs.md).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from accounts.models import User
from games.notifications.policy import preferences
from games.notifications.policy.kinds import Detail
from games.notifications.policy.prefetch import Prefetch
from games.outbox.handling import Batch
from games.play.models.match import Match, Player
from games.play.record.match_view import MatchView
from games.play.record.proofs import receipts, signing


@dataclass(frozen=True)
class Witness:
    """What an e-mail about a match says of its proof; all empty if the match has none.

    `lines` are the two proof lines of each ply that it shows. `receipt` is the text to attach, of
    the player `receipt_of`.
    """

    lines: tuple[str, ...] = ()
    receipt: str = ""
    receipt_name: str = ""
    receipt_of: int = 0

    def __repr__(self) -> str:
        return "<Witness>"


NO_WITNESS = Witness()
ReceiptOf = Callable[[MatchView], str]  # the receipt to attach for the reader of a view


def no_receipt(_view: MatchView) -> str:
    """For an e-mail that brings no receipt."""
    return ""


def of_view(reader: User, view: MatchView, receipt_of: ReceiptOf) -> Witness:
    """The witness of an e-mail that shows this view to a player.

    The first such e-mail after their set-up has the receipt, unless they want no board in e-mails.
    """
    head = signing.shown_head(view)
    if head is None or view.me is None:
        return NO_WITNESS
    text = receipt_of(view) if _wants_receipt(reader) else ""
    name = receipts.file_name(view.match.pk) if text else ""
    return Witness(head.lines, text, name, view.me.pk)


def of_end(match: Match) -> Witness:
    """The witness of an e-mail to a follower of a match that is over; one query."""
    head = signing.newest_head(match)
    return Witness(head.lines) if head else NO_WITNESS


def of_several(views: Iterable[MatchView]) -> Witness:
    """The witness of an e-mail about several matches, which brings no receipt."""
    heads = [head for view in views if (head := signing.shown_head(view))]
    return Witness(tuple(line for head in heads for line in head.lines))


def _wants_receipt(reader: User) -> bool:
    return preferences.read(reader).email_detail == Detail.BOARD


class Receipts:
    """The receipts that the e-mails of a batch bring, many read and marked by one statement.

    The first request also reads those of prefetched rows. A set-up never changes, so what was read
    stays true.
    """

    def __init__(self, prefetch: Prefetch) -> None:
        self._prefetch = prefetch
        self._texts: dict[int, str] = {}  # by the player's id; "" for none
        self._sent: set[int] = set()  # ids of players

    @classmethod
    def for_batch(cls, batch: Batch) -> "Receipts":
        """The receipts that all e-mails of this batch share."""
        return batch.keep("receipts", lambda: cls(Prefetch.for_batch(batch)))

    def of_view(self, view: MatchView) -> str:
        """The receipt of the reader of a view; "" if there is none or it was sent."""
        me = view.me
        if me is None or me.pk in self._sent or not receipts.is_to_be_sent(view.match, me):
            return ""
        if me.pk not in self._texts:
            players = [(view.match, me), *self._ahead()]
            texts = receipts.of_players(players)
            self._texts |= {player.pk: texts.get(player.pk, "") for _match, player in players}
        return self._texts[me.pk]

    def was_sent(self, witness: Witness) -> None:
        """Remember that the receipt of a player was sent, if this e-mail had it."""
        if witness.receipt:
            self._sent.add(witness.receipt_of)

    def close(self) -> None:
        """Store whose receipts were sent."""
        if self._sent:
            Player.objects.filter(pk__in=sorted(self._sent)).update(receipt_sent=True)

    def _ahead(self) -> list[tuple[Match, Player]]:
        """The readers of the next e-mails of the batch who may get one."""
        return [
            (ahead.match, player)
            for row, ahead in self._prefetch.unused()
            for player in ahead.players.values()
            if player.user_id == row.user_id
            and row.user is not None
            and _wants_receipt(row.user)
            and player.pk not in self._texts
            and receipts.is_to_be_sent(ahead.match, player)
        ]
