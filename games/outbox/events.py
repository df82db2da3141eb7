"""Domain events: frozen dataclasses of ids that say what has happened.

Each room declares its own (`play/events.py`, `lobby/events.py`) and publishes an event once, in the
transaction that causes it. `config/subscribers.py` lists the subscribers of each event.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import ClassVar, NamedTuple

from accounts.models import User


class Person(NamedTuple):
    """A user whom an event concerns, by id; `house` is true for a house opponent.

    `leaving`: the account is to be closed when nothing of it runs; said by MatchFinal alone.
    """

    id: int
    house: bool = False
    leaving: bool = False


@dataclass(frozen=True, kw_only=True)
class Event:
    """Base class of events. A subclass is a frozen dataclass whose own fields are ids and numbers.

    `name` is stored in rows of the outbox, so it must not change when the class is renamed.
    """

    name: ClassVar[str]
    # Whether only the people may know that it happened: the admin lists none of its rows.
    private: ClassVar[bool] = False

    people: tuple[Person, ...] = ()  # the users it concerns; not stored

    @property
    def ids(self) -> dict[str, int]:
        """The fields as rows of the outbox store them; raises TypeError if one is not an int."""
        ids = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name != "people"
        }
        if not all(type(number) is int for number in ids.values()):
            raise TypeError(f"{self.name} may carry ids only.")
        return ids

    @property
    def concerns_house(self) -> bool:
        """Whether one of the people is a house opponent."""
        return any(person.house for person in self.people)


def people(users: Iterable[User]) -> tuple[Person, ...]:
    """The `people` of an event, from users."""
    return tuple(Person(user.pk, user.is_house) for user in users)
