"""Models of tournaments: stages, groups, lots, pairings, entries."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.competitions.draw.groups import MAX_GROUP, MIN_GROUP, Grouping, largest_group
from games.competitions.ranking import signs
from games.play import time_controls
from games.play.models.match import MAX_REASON_CHARACTERS, Match
from games.play.models.terms_columns import TermsColumns
from games.play.terms import Terms
from games.rules import registry

MIN_ENTRIES, MAX_ENTRIES = 3, 96
MIN_RATING, MAX_RATING = 100, 3500
MIN_DAYS, MAX_DAYS, DEFAULT_DAYS = 30, 730, 365  # of a stage
MAX_AT_ONCE = 9
MAX_FINALISTS = MAX_GROUP
MAX_TITLE_CHARACTERS = 80
DEFAULT_SETUP_PACE = "5d"
ENTRY_ENDED = "entry-ended"  # event of outbox rows: accounts may wait for it


class State(models.TextChoices):
    DRAFT = "draft", _("draft")
    OPEN = "open", _("open for entry")
    RUNNING = "running", _("running")
    FINISHED = "finished", pgettext_lazy("a tournament", "finished")
    CANCELLED = "cancelled", _("cancelled")


def _between(least: int, most: int) -> list[Any]:
    return [MinValueValidator(least), MaxValueValidator(most)]


class Tournament(TermsColumns):
    """A round-robin of one or two stages. Nothing but its dates changes once entry is open."""

    title = models.CharField(_("title"), max_length=MAX_TITLE_CHARACTERS)
    group_size = models.PositiveSmallIntegerField(
        _("players in a group, at most"), default=6, validators=_between(MIN_GROUP, MAX_GROUP)
    )
    grouping = models.CharField(
        _("groups"),
        max_length=10,
        choices=[
            (Grouping.EVEN.value, _("of about the same strength")),
            (Grouping.SECTIONS.value, _("by strength, the strongest in the first")),
        ],
        default=Grouping.EVEN.value,
    )
    stages = models.PositiveSmallIntegerField(_("stages"), default=1, validators=_between(1, 2))
    places = models.PositiveSmallIntegerField(
        _("players of each group who go on"), default=1, validators=_between(1, 2)
    )
    at_once = models.PositiveSmallIntegerField(
        _("opponents at once, 0 for all"), default=0, validators=_between(0, MAX_AT_ONCE)
    )
    rating_from = models.PositiveSmallIntegerField(
        _("rating from"), null=True, blank=True, validators=_between(MIN_RATING, MAX_RATING)
    )
    rating_to = models.PositiveSmallIntegerField(
        _("rating to"), null=True, blank=True, validators=_between(MIN_RATING, MAX_RATING)
    )
    min_finished = models.PositiveSmallIntegerField(
        _("finished matches, at least"), default=1, validators=_between(0, 1000)
    )
    max_entries = models.PositiveSmallIntegerField(
        _("entries, at most"), default=24, validators=_between(MIN_ENTRIES, MAX_ENTRIES)
    )
    opens_at = models.DateTimeField(_("entry opens"))
    closes_at = models.DateTimeField(_("entry closes"))
    days = models.PositiveSmallIntegerField(
        _("days of a stage"), default=DEFAULT_DAYS, validators=_between(MIN_DAYS, MAX_DAYS)
    )
    # In place of a random seed, for tests.
    seed = models.CharField(max_length=64, blank=True, editable=False)
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.DRAFT, editable=False
    )
    # Entry was prolonged since there were too few entries; this happens once.
    prolonged = models.BooleanField(default=False, editable=False)
    reason = models.CharField(
        _("reason"), max_length=MAX_REASON_CHARACTERS, blank=True, editable=False
    )  # of a cancellation
    # Why an organiser has moved a date to later, the last time.
    prolonged_why = models.CharField(
        _("reason for later dates"),
        max_length=MAX_REASON_CHARACTERS,
        blank=True,
        default="",
        db_default="",
        editable=False,
    )
    finished_at = models.DateTimeField(_("finished at"), null=True, editable=False)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        default_permissions = ("add", "change", "view")
        permissions = [
            ("open_tournament", "Can open tournaments for entry"),
            ("cancel_tournament", "Can cancel tournaments"),
            ("prolong_tournament", "Can move dates of tournaments to later days"),
        ]
        indexes = [
            models.Index(
                fields=["closes_at"], name="tournament_closes", condition=Q(state=State.OPEN)
            ),
            models.Index(fields=["state", "-id"], name="tournament_by_state"),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("tournaments:tournament", args=[self.pk])

    @property
    def terms(self) -> Terms:
        """The terms of each pairing: a set of two in games that are played as sets."""
        terms = super().terms
        return replace(terms, as_set=terms.rules.sets)

    @property
    def matches_a_pair(self) -> int:
        return 2 if self.rules.sets else 1

    @property
    def matches_a_player(self) -> int:
        """How many matches an entry may open at most, in groups."""
        return (self.largest_group - 1) * self.matches_a_pair

    @property
    def largest_group(self) -> int:
        """The most players that a group may have, however many enter."""
        return largest_group(self.max_entries, self.group_size)

    @property
    def is_over(self) -> bool:
        return self.state in (State.FINISHED, State.CANCELLED)

    @property
    def event_key(self) -> str:
        """Match.event of its matches."""
        return f"tournament/{self.pk}"

    def clean(self) -> None:
        """Check what concerns several fields; raises ValidationError."""
        errors: dict[str, Any] = {}
        self.title = " ".join(self.title.split())  # a line of e-mails
        presets = {rules.key for rules in registry.editions()}
        if self.preset not in presets:
            errors["preset"] = _("There are no such rules.")
        if fault := _fault_of_pace(self.pace):
            errors["pace"] = fault
        if fault := _fault_of_pace(self.setup_pace):
            errors["setup_pace"] = fault
        if self.rating_from and self.rating_to and self.rating_from > self.rating_to:
            errors["rating_to"] = _("The highest rating is below the lowest.")
        if self.opens_at and self.closes_at and self.closes_at <= self.opens_at:
            errors["closes_at"] = _("Entry closes before it opens.")
        if self.stages == 2 and self.group_size and self.max_entries:
            groups = -(-self.max_entries // self.group_size)
            if groups * self.places > MAX_FINALISTS:
                errors["max_entries"] = _(
                    "A final has at most %(most)s players. Take fewer entries, larger groups, or "
                    "let fewer go on."
                ) % {"most": MAX_FINALISTS}
        if errors:
            raise ValidationError(errors)


def _fault_of_pace(pace: str) -> Any:
    """Why a time control is not possible; "" if it is."""
    try:
        control = time_controls.parse(pace)
    except ValueError as error:
        return str(error)
    return "" if control.bank is not None else _("A tournament needs a time limit.")


class Entry(models.Model):
    """A player's entry in a tournament; leaving before the draw deletes it."""

    class Status(models.TextChoices):
        ENTERED = "entered", _("entered")
        DROPPED = "dropped", _("no longer fulfilled the conditions")
        PLAYING = "playing", _("plays")
        WITHDRAWN = "withdrawn", pgettext_lazy("a player", "withdrawn")

    class Why(models.TextChoices):
        """Why somebody withdrew."""

        SELF = "self", _("withdrew")
        CLOSED = "closed", _("closed their account")
        EXCLUDED = "excluded", _("excluded by an organiser")
        SILENT = "silent", _("let two matches run out without a move between")

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="entries", verbose_name=_("tournament")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("player")
    )
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.ENTERED
    )
    entered_at = models.DateTimeField(_("entered at"))
    rating = models.PositiveSmallIntegerField(_("rating at the draw"), null=True)
    withdrawn_at = models.DateTimeField(_("withdrawn at"), null=True)
    why = models.CharField(_("why"), max_length=10, choices=Why.choices, blank=True)
    # Of an organiser who excluded them.
    reason = models.CharField(_("reason"), max_length=MAX_REASON_CHARACTERS, blank=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        default_permissions = ("view",)
        permissions = [("exclude_entrant", "Can exclude players from tournaments")]
        constraints = [models.UniqueConstraint("tournament", "user", name="entry_once")]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.user_id}"


class Stage(models.Model):
    """A stage of a tournament: the groups, or the final."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="all_stages")
    number = models.PositiveSmallIntegerField(_("stage"))
    seed = models.CharField(_("seed of the lots"), max_length=64)
    started_at = models.DateTimeField(_("started at"))
    ends_at = models.DateTimeField(_("last date"))
    over_at = models.DateTimeField(_("over at"), null=True)
    # What the sweep has to look at.
    to_open = models.BooleanField(default=True)  # pairings that may be opened by now
    to_check = models.BooleanField(default=False)  # whether all its cells are filled
    to_judge = models.BooleanField(default=True)  # what is not finished at the last date

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        default_permissions = ()
        constraints = [models.UniqueConstraint("tournament", "number", name="stage_once")]
        indexes = [
            models.Index(fields=["id"], name="stage_to_open", condition=Q(to_open=True)),
            models.Index(fields=["id"], name="stage_to_check", condition=Q(to_check=True)),
            models.Index(fields=["ends_at"], name="stage_to_judge", condition=Q(to_judge=True)),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.number}"


class Group(models.Model):
    """A group of a stage, in which everybody meets everybody."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="groups", db_index=False)
    number = models.PositiveSmallIntegerField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint("stage", "number", name="group_once")]

    def __str__(self) -> str:
        return f"{self.stage_id}/{self.number}"


class Lot(models.Model):
    """A player's lot in a group: the number in its table."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="lots", db_index=False)
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="lots")
    number = models.PositiveSmallIntegerField()
    # Goes on to the next stage; later annulments do not change that.
    qualified = models.BooleanField(default=False)
    # Has the first place, alone or shared, of what decides a tournament that is over.
    won = models.BooleanField(default=False, db_default=False)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint("group", "number", name="lot_once"),
            models.UniqueConstraint("group", "entry", name="lot_of_entry_once"),
        ]

    def __str__(self) -> str:
        return f"{self.group_id}/{self.number}"


class Pairing(models.Model):
    """Two players of a group who meet once, in a match or a set of two.

    `signs` has two characters a match: those of `south` and of `north`, who have swapped sides in
    the second match. `fixed` has the numbers, 1 or 2, of the matches that no longer count here.
    """

    group = models.ForeignKey(Group, models.CASCADE, related_name="pairings", db_index=False)
    round = models.PositiveSmallIntegerField()
    board = models.PositiveSmallIntegerField()
    south = models.ForeignKey(Lot, models.CASCADE, related_name="+")
    north = models.ForeignKey(Lot, models.CASCADE, related_name="+")
    match = models.OneToOneField(Match, models.PROTECT, null=True, related_name="+")
    waiting = models.BooleanField(default=True)  # to be opened
    signs = models.CharField(max_length=4)
    fixed = models.CharField(max_length=2, blank=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint("group", "round", "board", name="pairing_at_a_board"),
            models.UniqueConstraint("group", "south", "north", name="pairing_once"),
            models.CheckConstraint(name="pairing_of_two", condition=~Q(south=F("north"))),
        ]

    def __str__(self) -> str:
        return f"{self.group_id}: {self.round}/{self.board}"

    @property
    def of_south(self) -> str:
        """The cell in South's row; of a set the match in which they sit South comes first."""
        return self.signs[::2]

    @property
    def of_north(self) -> str:
        """The cell in North's row."""
        return self.signs[::-2]

    @property
    def is_open(self) -> bool:
        """Whether a sign is missing."""
        return signs.OPEN in self.signs

    def counts(self, number: int) -> bool:
        """Whether its match of that number, 1 or 2, may still change its signs."""
        return str(number) not in self.fixed

    def sign(self, number: int, both: str, *, fix: bool = False) -> None:
        """Set the signs of a match: of the pairing's South, then of its North."""
        at = 2 * (number - 1)
        self.signs = self.signs[:at] + both + self.signs[at + 2 :]
        if fix and self.counts(number):
            self.fixed += str(number)
