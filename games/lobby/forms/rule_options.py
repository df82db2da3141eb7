"""Form fields for rule options: every option of every game, and one match or a set of two.

An option that the player does not change keeps the value of the edition. Only options of the chosen
game count; changing those of another game is an error.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.play.terms import Terms
from games.play.words import rulebook
from games.rules import registry
from games.rules.core.basics.options import Letters, Number, Option, Value, write_value
from games.rules.core.ruleset.base import Ruleset

DEFAULT = ""  # the choice that keeps the value of the edition
SOME_PIECES = "some"  # the choice of the pieces ticked in the field with PIECES_SUFFIX
PIECES_SUFFIX = "-pieces"
ONE_MATCH, SET_OF_TWO = "one", "set"


class Group(NamedTuple):
    """The fields of one game's options."""

    family: str
    title: str
    fields: list[BoundField]
    is_open: bool  # has changed fields or errors


def _units() -> list[tuple[str, str]]:
    """The choices of the field `unit`, in the reader's language."""
    in_sets = [
        _(registry.title(family))
        for family, (rules, *_rest) in registry.games.items()
        if rules.sets
    ]
    usual = _("Default: a set of two for %(games)s, one match for any other game")
    return [
        (DEFAULT, usual % {"games": ", ".join(in_sets)}),
        (ONE_MATCH, _("One match")),
        (
            SET_OF_TWO,
            _("A set of two: two matches at once with sides swapped, and one overall result"),
        ),
    ]


class OptionFields(forms.Form):
    """Base of a form with a field `preset`: adds the options of every game.

    Pass the initial values with which the page was rendered, so that fields that the player did not
    touch do not count as changes.
    """

    unit = forms.ChoiceField(
        label=gettext_lazy("How many matches"),
        required=False,
        choices=_units,
        help_text=gettext_lazy(
            "In a set you play each side once; the side you choose below is yours in the first "
            "match."
        ),
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for family, editions in registry.games.items():
            for spec in editions[0].option_specs:
                self.fields |= _fields(f"{family}-{spec.name}", spec, editions[0])

    def groups(self) -> list[Group]:
        """The fields by game."""
        return [
            Group(
                family,
                _(registry.title(family)),
                fields,
                any(f.value() or f.errors for f in fields),
            )
            for family in registry.games
            if (fields := [self[name] for name in self.fields if name.startswith(f"{family}-")])
        ]

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        chosen = registry.ruleset(data["preset"]).family if "preset" in data else ""
        switches: dict[str, Value] = {}
        for family, editions in registry.games.items():
            changed = self._changed(family, editions[0])
            if family == chosen:
                switches = changed
            elif chosen and changed and any(n.startswith(f"{family}-") for n in self.changed_data):
                titles = {"changed": _(registry.title(family)), "chosen": _(registry.title(chosen))}
                message = _(
                    "You changed rules of %(changed)s, but chose %(chosen)s. Choose the other "
                    "game, or set its rules back to “Default”."
                )
                self.add_error(None, message % titles)
        data["switches"] = switches
        if chosen:
            usual = registry.ruleset(data["preset"]).sets
            data["as_set"] = data.get("unit") == SET_OF_TWO or (
                usual and data.get("unit") == DEFAULT
            )
        return data

    def _changed(self, family: str, rules: Ruleset) -> dict[str, Value]:
        """The options of a game that the cleaned fields change."""
        changed: dict[str, Value] = {}
        for spec in rules.option_specs:
            name = f"{family}-{spec.name}"
            value = self.cleaned_data.get(name)
            if isinstance(spec, Letters):
                value = self._letters(name, value)
            if value not in (None, DEFAULT):
                changed[spec.name] = _read(spec, value)
        return changed

    def _letters(self, name: str, value: str | None) -> str | None:
        """The value of an option about pieces: the ticked letters, or the choice."""
        ticked = "".join(self.cleaned_data.get(name + PIECES_SUFFIX, ()))
        if ticked and value not in (DEFAULT, SOME_PIECES):
            self.add_error(name, _("You ticked pieces: choose “Only those ticked below”."))
        elif value == SOME_PIECES and not ticked:
            self.add_error(name, _("Tick at least one piece below, or choose another rule."))
            return None
        return ticked or value


def initial(terms: Terms) -> dict[str, object]:
    """Initial values of the fields."""
    rules, switches = registry.ruleset(terms.preset), terms.switches
    unit = DEFAULT if terms.as_set == rules.sets else SET_OF_TWO if terms.as_set else ONE_MATCH
    filled: dict[str, object] = {"unit": unit}
    for spec in rules.option_specs:
        if spec.name not in switches:
            continue
        name, value = f"{rules.family}-{spec.name}", switches[spec.name]
        filled[name] = _write(value)
        if isinstance(spec, Letters) and value not in (known for known, _words in spec.choices):
            filled |= {name: SOME_PIECES, name + PIECES_SUFFIX: list(str(value))}
    return filled


def names(rules: Ruleset) -> list[str]:
    """The names of the fields about a game's options."""
    return [f"{rules.family}-{spec.name}" for spec in rules.option_specs]


def editions() -> dict[str, dict[str, object]]:
    """Data for the page's script, by edition: its game, and its options as sentences and numbers.

    The keys of the options are names of fields.
    """
    return {
        rules.key: {
            "game": rules.family,
            "says": {
                f"{rules.family}-{name}": words for name, words in rulebook.sentences(rules).items()
            },
            "numbers": {
                f"{rules.family}-{spec.name}": rules.options[spec.name]
                for spec in rules.option_specs
                if isinstance(spec, Number)
            },
        }
        for rules in registry.editions()
    }


def _fields(name: str, spec: Option, rules: Ruleset) -> dict[str, forms.Field]:
    """The form fields of an option: one, or two if pieces can be ticked."""
    if isinstance(spec, Number):
        return {name: _number(spec)}
    choices = [(_write(value), _(words)) for value, words in spec.choices]
    if isinstance(spec, Letters):
        choices.append((SOME_PIECES, _("Only those ticked below")))
    field = forms.ChoiceField(
        label=_(spec.title),
        help_text=_(spec.about),
        required=False,
        choices=[(DEFAULT, _("Default")), *choices],
        widget=forms.RadioSelect,
    )
    if not isinstance(spec, Letters):
        return {name: field}
    pieces = [(letter, _(rules.piece_names[letter])) for letter in spec.letters]
    ticks = forms.MultipleChoiceField(
        label=_("%(switch)s: the pieces") % {"switch": _(spec.title)},
        required=False,
        choices=pieces,
        widget=forms.CheckboxSelectMultiple,
    )
    return {name: field, name + PIECES_SUFFIX: ticks}


def _number(spec: Number) -> forms.Field:
    least, most = spec.offered
    values = {"about": _(spec.about), "least": least, "most": most}
    help_text = _(
        "%(about)s A whole number from %(least)s to %(most)s; leave empty for the default."
    )
    message = gettext_lazy("Enter a whole number from %(least)s to %(most)s, or leave this empty.")
    error = message % values
    return forms.IntegerField(
        label=_(spec.title),
        help_text=help_text % values,
        required=False,
        min_value=least,
        max_value=most,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), error),
        widget=forms.NumberInput(attrs={"class": "short"}),
    )


def _write(value: Value) -> str:
    """A value as text of the form; "-" for an empty value, since "" means the default."""
    return write_value(value) or "-"


def _read(spec: Option, value: Any) -> Value:
    """The option value of a cleaned field."""
    if isinstance(value, int):
        return value
    known = {_write(known): known for known, _words in spec.choices}
    return spec.admit(known.get(value, value))
