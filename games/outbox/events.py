"""Domain events: what has happened, as frozen values of ids.

Each room declares its own (`play/events.py`, `lobby/events.py`) and publishes an event once, in the
transaction that causes it. `config/subscribers.py` lists who wants to hear of which.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import ClassVar, NamedTuple

from accounts.models import User


class Person(NamedTuple):
    """Somebody whom an event concerns: the id of a user, and whether the house plays for them."""

    id: int
    house: bool = False

    @classmethod
    def of(cls, user: User) -> "Person":
        return cls(user.pk, user.is_house)


@dataclass(frozen=True, kw_only=True)
class Event:
    """Base of all events. A subclass is a frozen dataclass whose other fields are ids and numbers.

    `name` stands in rows of the outbox, so it stays as it is when a class is renamed.
    """

    name: ClassVar[str]

    people: tuple[Person, ...] = ()  # whom it concerns; stored nowhere

    @property
    def ids(self) -> dict[str, int]:
        """The fields as rows of the outbox keep them; raises TypeError for what is no id."""
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
        """Whether the house plays for one of the people."""
        return any(person.house for person in self.people)


def people(users: Iterable[User]) -> tuple[Person, ...]:
    """Users as the people of an event."""
    return tuple(Person.of(user) for user in users)
