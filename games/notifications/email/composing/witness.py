"""Letters as witnesses: the proof lines at the end of an e-mail, and a player's receipt.

A letter that its reader keeps shows that the service has not changed the history since
(docs/proofs.md).
"""

from dataclasses import dataclass

from accounts.models import User
from games.notifications.policy import preferences
from games.notifications.policy.kinds import Detail
from games.play.models.match import Player
from games.play.record.match_view import MatchView
from games.play.record.proofs import receipts, signing


@dataclass(frozen=True)
class Witness:
    """What an e-mail about a match says of its proof; all empty if the match has none.

    `lines` are the two proof lines of the ply that it shows. `receipt` is the text to attach, of
    the player `receipt_of`.
    """

    lines: tuple[str, ...] = ()
    receipt: str = ""
    receipt_name: str = ""
    receipt_of: int = 0

    def __repr__(self) -> str:
        return "<Witness>"


NO_WITNESS = Witness()


def of_view(reader: User, view: MatchView) -> Witness:
    """The witness of an e-mail that shows this view to a player.

    The first such e-mail after their set-up has the receipt, unless they want no board in e-mails.
    """
    head = signing.shown_head(view)
    if head is None:
        return NO_WITNESS
    return Witness(head.lines, *_receipt(reader, view))


def mark_sent(witness: Witness) -> None:
    """Remember that the receipt of a player was sent, if this e-mail had it."""
    if witness.receipt:
        Player.objects.filter(pk=witness.receipt_of).update(receipt_sent=True)


def _receipt(reader: User, view: MatchView) -> tuple[str, str, int]:
    me, seat = view.me, view.seat
    wants_board = preferences.read(reader).email_detail == Detail.BOARD
    if me is None or seat is None or me.receipt_sent or not wants_board:
        return "", "", 0
    try:
        text = receipts.of_seat(view.match, seat)
    except receipts.NoReceipt:
        return "", "", 0
    return text, receipts.file_name(view.match.pk), me.pk
