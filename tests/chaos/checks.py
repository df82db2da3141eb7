"""What must hold after all repairs, once the service is idle; each check returns sentences.

The record is read inside the service's own environment (`tests.chaos.record`), since it is sealed.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from email import message_from_bytes
from typing import Any

from games.rules.core.text.notation import plain_text
from tests.chaos.history import Action
from tests.chaos.player_mailboxes import PlayerMailboxes

Record = dict[str, Any]


def _fits(action: Action, kind: str, text: str) -> bool:
    """Whether a ply is what the action requested; the record adds remarks to a move."""
    return action.what == kind and (kind != "move" or plain_text(text) == action.text)


def plies(record: Record) -> dict[tuple[int, int], list[Any]]:
    """Every ply by match and number: [kind, seat, text]."""
    return {(match, number): rest for match, number, *rest in record["plies"]}


def acknowledged_actions_are_stored_once(
    actions: Iterable[Action], record: Record
) -> Iterator[str]:
    """Each action answered with "ok" is the ply that it was to become."""
    written = plies(record)
    for action in actions:
        if action.outcome != "ok":
            continue
        kind, _seat, text = written.get((action.match, action.ply), ("nothing", None, ""))
        if not _fits(action, kind, text):
            yield f"{action} was acknowledged, and there stands {kind} {text}."


def every_ply_was_requested(actions: Iterable[Action], record: Record) -> Iterator[str]:
    """Each ply belongs to one action, and to none that was always refused."""
    actions_by_ply: dict[tuple[int, int], list[Action]] = defaultdict(list)
    for action in actions:
        if action.outcome != "fail":
            actions_by_ply[action.match, action.ply].append(action)
    for (match, number), (kind, _seat, text) in plies(record).items():
        if kind in ("begin", "setup"):
            continue
        fitting = [action for action in actions_by_ply[match, number] if _fits(action, kind, text)]
        if len(fitting) != 1:
            yield f"Ply {match}/{number} ({kind} {text}) was asked for by {fitting}."


def records_are_whole(record: Record) -> Iterator[str]:
    """The faults of each match by the rules and the chain, see tests.chaos.record."""
    yield from record["broken"]


def emails_are_there(record: Record, emails: Iterable[bytes], allowance: int) -> Iterator[str]:
    """Every row is settled, every sent e-mail arrived, and few arrived twice."""
    came = message_ids(emails)
    events: Counter[tuple[Any, ...]] = Counter()
    turns = set()
    for message_id, event, user, match, about, state, _waited in record["dispatches"]:
        events[event, user, match, *about] += 1
        if event == "turn-came":
            turns.add((match, about[0], user))
        if state not in ("sent", "superseded"):
            yield f"{event} of match {match} for {user} is {state}."
        if state == "sent" and not came[message_id]:
            yield f"{event} of match {match} for {user} is marked as sent, and never came."
    for what, count in events.items():
        if count > 1:
            yield f"{what} stands {count} times in the outbox."
    for match, number, user in record["turns"]:
        if (match, number, user) not in turns:
            yield f"Nobody was to be notified of ply {match}/{number}."
    twice = sum(count - 1 for count in came.values())
    if twice > allowance:
        yield f"{twice} e-mails came twice; the harm done allows for {allowance}."


def every_message_has_a_receipt(
    actions: Iterable[Action], mailboxes: PlayerMailboxes, record: Record
) -> Iterator[str]:
    """One receipt for each acknowledged message, and what receipts call played was played."""
    written = plies(record)
    for action in actions:
        if not action.is_by_mail or not action.status:
            continue
        outcomes = mailboxes.outcomes(action.key)
        if len(outcomes) != 1:
            yield f"{action} has the receipts {outcomes}."
        elif outcomes == ["played"]:
            kind, _seat, text = written.get((action.match, action.ply), ("nothing", None, ""))
            if not _fits(action, kind, text):
                yield f"{action} is said to be played, and there stands {kind} {text}."


def waits(record: Record) -> tuple[float, float]:
    """Seconds within which half of the e-mails were sent, and 99 of 100."""
    waited = sorted(row[-1] for row in record["dispatches"] if row[-1] is not None)
    return (waited[len(waited) // 2], waited[len(waited) * 99 // 100]) if waited else (0.0, 0.0)


def message_ids(emails: Iterable[bytes]) -> Counter[str]:
    """How often each e-mail arrived."""
    return Counter(message_from_bytes(email)["Message-ID"] for email in emails)


def no_server_error_was_final(actions: Iterable[Action]) -> Iterator[str]:
    """A player who keeps retrying gets an answer in the end."""
    for action in actions:
        if action.outcome == "info" and action.status >= 500:
            yield f"{action} was last answered by an error."
