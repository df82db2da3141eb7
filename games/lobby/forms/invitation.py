"""Invitation form: who may accept, game and options, seat, time control, conditions, message."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django import forms
from django.forms.boundfield import BoundField, BoundWidget
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.lobby import commands, ports
from games.lobby.forms import conditions, rule_options, time_control
from games.lobby.forms.words import WordsForm
from games.lobby.invitations.conditions import Conditions
from games.lobby.models import Invitation, InvitationKind
from games.people.blocking import challenges
from games.people.standing import limits
from games.play.terms import Terms
from games.play.words.rulebook import summary
from games.ratings import eligibility
from games.ratings.eligibility import NotRateable
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from lib.spelling import typed_text

if TYPE_CHECKING:
    from django.utils.functional import Promise


@dataclass(frozen=True)
class Card:
    """A choice of a radio field, with a help text."""

    title: str | Promise
    help: str | Promise
    game: str = ""  # its system, if the choice is an edition

    def __str__(self) -> str:
        return str(self.title)


IDLE = (None, "", False, 0, "0")  # values of a condition that asks for nothing
HOUSE = "house"  # the computer: a challenge that is accepted at once
KINDS = [
    (InvitationKind.SEAT, Card(_("Anyone"), _("An open seat that everyone sees in the lobby."))),
    (
        InvitationKind.CHALLENGE,
        Card(_("A player I choose"), _("They get a challenge to accept or decline.")),
    ),
    (InvitationKind.LINK, Card(_("Anyone with the link"), _("You get a private link to share."))),
    (HOUSE, Card(_("The computer"), _("Always available: the match starts at once."))),
]
MAIN_FIELDS = frozenset(
    {"preset", "kind", "opponent", "level", "pace", "rated", "seat", "note"}
)  # always visible
# The template renders each by name.
PLACED_FIELDS = MAIN_FIELDS | {"unit", "repeats", *conditions.NAMES}
SEAT_CARDS = [
    ("", Card(_("Random"), _("Drawn at the start of the match."))),
    (str(int(Seat.SOUTH)), Card(_("South"), _("Moves first; in Assaut, the soldiers."))),
    (str(int(Seat.NORTH)), Card(_("North"), _("Moves second; in Assaut, the officers."))),
]


def presets() -> list[tuple[str, Card]]:
    """A choice for every edition, in the reader's language."""
    return [
        (rules.key, Card(_(rules.title), summary(rules), rules.family))
        for rules in registry.editions()
    ]


class EditionForm(forms.Form):
    """The choice of an edition: the first of each game is visible, the others are collapsed."""

    preset = forms.ChoiceField(label=_("Game"), choices=presets, widget=forms.RadioSelect)

    def tiles(self) -> list[BoundWidget]:
        """The visible editions: the first of each game, and the chosen one."""
        return [option for option in self["preset"] if self._is_visible(option)]

    def other_editions(self) -> list[BoundWidget]:
        """The collapsed editions."""
        return [option for option in self["preset"] if not self._is_visible(option)]

    def _is_visible(self, option: BoundWidget) -> bool:
        key = option.data["value"]
        rules = registry.ruleset(key)
        return key == self["preset"].value() or rules is registry.first_edition(rules)


def _seats() -> list[tuple[str, str]]:
    """The seats as lines of a list, each with its sentence."""
    return [(key, f"{card.title}: {card.help}") for key, card in SEAT_CARDS]


def _levels() -> list[tuple[str, str]]:
    return ports.house_levels.one()


class InvitationForm(
    EditionForm,
    rule_options.OptionFields,
    time_control.PaceForm,
    conditions.ConditionsForm,
    WordsForm,
):
    """The form for an invitation.

    Cleaned values have the names of terms, so a new term needs only a field of the same name.
    """

    kind = forms.ChoiceField(label=_("Opponent"), choices=KINDS, widget=forms.RadioSelect)
    opponent = forms.CharField(
        label=_("Username"),
        max_length=40,
        required=False,
        help_text=_("Upper and lower case are the same."),
        widget=forms.TextInput(
            attrs={"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}
        ),
    )
    level = forms.ChoiceField(
        label=_("Level"),
        choices=_levels,
        required=False,
        help_text=_("The first is best for your first match; the last is the strongest."),
        widget=forms.Select(attrs={"class": "short"}),
    )
    seat = forms.ChoiceField(
        label=_("Your side"),
        choices=_seats,
        required=False,
        widget=forms.Select(attrs={"class": "short"}),
    )
    memory_aid = forms.ChoiceField(
        label=_("Memory aid"),
        choices=[
            ("on", _("On: the match page remembers what you have seen.")),
            ("off", _("Off: both players have to remember it themselves.")),
        ],
        required=False,
        initial="on",
        widget=forms.RadioSelect,
    )
    rated = forms.BooleanField(
        label=_("Rated"),
        required=False,
        help_text=_(
            "The result counts for both ratings. Not against the computer, with changed rules or "
            "without a time limit."
        ),
    )
    listed = forms.BooleanField(
        label=_("Listed for visitors"),
        required=False,
        initial=True,
        help_text=_(
            "Visitors find the running match in a list. Its page is open to everyone in any case. "
            "Matches from private links are never listed."
        ),
    )
    note = forms.CharField(
        label=_("Message"),
        max_length=200,
        required=False,
        help_text=_("At most 200 characters. Everyone who sees the invitation can read it."),
    )

    @property
    def shows_more(self) -> bool:
        """Whether a collapsed field has an error."""
        return not MAIN_FIELDS.issuperset(self.errors)

    def other_terms(self) -> list[BoundField]:
        """The fields of terms that the template does not render by name."""
        return [self[name] for name in self.base_fields if name not in PLACED_FIELDS]

    def condition_fields(self) -> list[BoundField]:
        """The fields of who may accept an open seat or a private link."""
        return [self[name] for name in conditions.NAMES]

    def changed_options(self) -> list[str]:
        """The collapsed options that differ from their defaults, in a few words each."""
        value = {name: self[name].value() for name in self.base_fields}
        game = registry.games.get(self._game())
        changed = game and any(self[name].value() for name in rule_options.names(game[0]))
        options = [
            (changed, _("rules changed")),
            (value["unit"] == rule_options.ONE_MATCH, _("one match")),
            (value["unit"] == rule_options.SET_OF_TWO, _("a set of two")),
            (
                value["setup_days"],
                _("days for the set-up: %(days)s") % {"days": value["setup_days"]},
            ),
            (value["time_out"] == "soft", _("the opponent decides when time runs out")),
            (not value["vacations"], _("no vacations")),
            (value["memory_aid"] == "off", _("no memory aid")),
            (not value["listed"], _("not listed")),
            (any(value[name] not in IDLE for name in conditions.NAMES), _("conditions")),
            (value["repeats"] not in IDLE, _("offered again")),
            (value["words"], _("words for the deal")),
        ]
        return [str(words) for differs, words in options if differs]

    def _game(self) -> str:
        """The family of the chosen edition; "" if there is none."""
        chosen = self["preset"].value()
        return registry.ruleset(chosen).family if chosen in dict(presets()) else ""

    def clean_seat(self) -> Seat | None:
        return read_seat(self.cleaned_data["seat"])

    def clean_memory_aid(self) -> bool:
        return bool(self.cleaned_data["memory_aid"] != "off")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        handle = data.get("opponent", "")
        if data.get("kind") == InvitationKind.CHALLENGE:
            data["guest"] = self._find(handle)
        elif data.get("kind") == HOUSE and "level" in data:
            data["guest"] = ports.house_opponent.one(data["level"] or _levels()[0][0])
        if handle and data.get("kind", InvitationKind.CHALLENGE) != InvitationKind.CHALLENGE:
            self.add_error(
                "opponent",
                _("You entered a player: choose “A player I choose” above, or clear this field."),
            )
        return data

    def _find(self, handle: str) -> User | None:
        """The user with this username, ignoring case; else adds an error, returns None."""
        if not handle:
            self.add_error("opponent", _("Enter the username of the player you challenge."))
            return None
        user = challenges.find(typed_text.plain(handle))
        if user is None:
            message = _("There is no player called “%(handle)s”. Check the spelling.")
            self.add_error("opponent", forms.ValidationError(message, params={"handle": handle}))
        return user

    def offer(self, owner: User) -> Invitation:
        """Create the invitation of a valid form; raises Refusal."""
        data = self.cleaned_data
        kind = InvitationKind.CHALLENGE if data["kind"] == HOUSE else InvitationKind(data["kind"])
        guest = data.get("guest")
        against_program = data["kind"] == HOUSE or (guest is not None and guest.is_bot)
        listed = data["listed"] and kind != InvitationKind.LINK
        rated = data["rated"] and not against_program
        terms = Terms.from_values(data | {"rated": rated, "listed": listed})
        is_challenge = kind == InvitationKind.CHALLENGE
        return commands.offer(
            owner,
            terms,
            kind=kind,
            guest=guest,
            note=data["note"],
            words=data["words"],
            # The chosen player may always accept, so conditions are ignored.
            conditions=Conditions() if is_challenge else data["conditions"],
            repeats=data["repeats"] or 0 if kind == InvitationKind.SEAT else 0,
        )


def last_choices(owner: User) -> dict[str, object]:
    """Initial values: the owner's last choices, without opponent, message and repeats."""
    own = Invitation.objects.filter(owner=owner.pk, rematch_of=None).select_related("guest")
    last = own.order_by("-created_at").first()
    is_barred = limits.barred_since(owner.pk) is not None
    if last is None:
        terms = Terms(registry.editions()[0].key, vacations=True, rated=not is_barred)
        return {"kind": InvitationKind.SEAT} | _initial(terms)
    house = last.guest is not None and last.guest.is_house
    # Some kinds cannot be rated or listed; they do not change the next form.
    is_link = last.kind == InvitationKind.LINK
    rated = last.rated or ((house or is_link) and _may_be_rated(last.terms))
    rated = rated and not is_barred
    listed = last.listed or is_link
    return {
        "kind": HOUSE if house else last.kind,
        "level": last.guest.house_level if last.guest and house else "",
        **_initial(replace(last.terms, rated=rated, listed=listed)),
        **Conditions.of_invitation(last).values(),
    }


def _may_be_rated(terms: Terms) -> bool:
    try:
        eligibility.check_terms(terms)
    except NotRateable:
        return False
    return True


def _initial(terms: Terms) -> dict[str, object]:
    """Initial values for these terms."""
    return {
        **terms.values(),
        **rule_options.initial(terms),
        **time_control.initial(terms),
        "seat": "" if terms.seat is None else str(int(terms.seat)),
        "memory_aid": "on" if terms.memory_aid else "off",
    }


def read_seat(choice: str) -> Seat | None:
    """The seat of a choice in SEAT_CARDS; None: drawn by lot."""
    return Seat(int(choice)) if choice else None
