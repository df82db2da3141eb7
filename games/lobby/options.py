"""What may be chosen beside the edition: its rules switch by switch, and a match or a set of two.

The switches of every game stand in the form, each left as the edition has it unless the player
says otherwise. Those of the chosen game count; a change to another game's is asked about.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.lobby.models import Invitation
from games.play import rulebook
from games.rules import registry
from games.rules.core.ruleset import Ruleset
from games.rules.core.switches import Letters, Number, Switch, Value, write_value

USUAL = ""  # a field that is left as the edition has it
SOME = "some"  # of a switch that names pieces: those that are ticked
PIECES = "-pieces"  # how the name of the field with their ticks ends
ONE, SET = "one", "set"  # matches, unless they are as the game is usually played


class Group(NamedTuple):
    """The fields of one game's switches."""

    family: str
    title: str
    fields: list[BoundField]
    is_open: bool  # something in it was changed, or is wrong


def _units() -> list[tuple[str, str]]:
    """A match or a set of two, in the reader's language."""
    in_sets = [
        _(registry.title(family))
        for family, (rules, *_rest) in registry.systems.items()
        if rules.sets
    ]
    usual = _("As usual: a set of two for %(games)s, one match for any other game")
    return [
        (USUAL, usual % {"games": ", ".join(in_sets)}),
        (ONE, _("One match")),
        (SET, _("A set of two at once, with sides swapped and one result of both")),
    ]


class OptionFields(forms.Form):
    """A form with the switches of every game; it has a field `preset` besides.

    Its initial values are those that it was shown with: what its reader left alone is no change.
    """

    unit = forms.ChoiceField(
        label=gettext_lazy("How many matches"),
        required=False,
        choices=_units,
        help_text=gettext_lazy(
            "In a set you sit on each side once; your seat below is that in the first match."
        ),
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for family, editions in registry.systems.items():
            for spec in editions[0].switch_specs:
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
            for family in registry.systems
            if (fields := [self[name] for name in self.fields if name.startswith(f"{family}-")])
        ]

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        chosen = registry.ruleset(data["preset"]).family if "preset" in data else ""
        switches: dict[str, Value] = {}
        for family, editions in registry.systems.items():
            changed = self._changed(family, editions[0])
            if family == chosen:
                switches = changed
            elif chosen and changed and any(n.startswith(f"{family}-") for n in self.changed_data):
                facts = {"changed": _(registry.title(family)), "chosen": _(registry.title(chosen))}
                wrong = _(
                    "You changed rules of %(changed)s, but chose %(chosen)s. "
                    "Choose the other game, or set its rules back to “As in the edition”."
                )
                self.add_error(None, wrong % facts)
        data["switches"] = switches
        if chosen:
            usual = registry.ruleset(data["preset"]).sets
            data["as_set"] = data.get("unit") == SET or (usual and data.get("unit") == USUAL)
        return data

    def _changed(self, family: str, rules: Ruleset) -> dict[str, Value]:
        """The switches of a game that do not stand as in the edition."""
        changed: dict[str, Value] = {}
        for spec in rules.switch_specs:
            name = f"{family}-{spec.name}"
            value = self.cleaned_data.get(name)
            if isinstance(spec, Letters):
                value = self._letters(name, value)
            if value not in (None, USUAL):
                changed[spec.name] = _read(spec, value)
        return changed

    def _letters(self, name: str, value: str | None) -> str | None:
        """The choice of a switch that names pieces, with the ticks read; "-" for none of them."""
        ticked = "".join(self.cleaned_data.get(name + PIECES, ()))
        if ticked and value not in (USUAL, SOME):
            self.add_error(name, _("You ticked pieces: choose “Only those ticked below”."))
        elif value == SOME and not ticked:
            self.add_error(name, _("Tick at least one piece below, or choose another rule."))
            return None
        return ticked or value


def initial(last: Invitation) -> dict[str, object]:
    """What the fields hold for whoever made this offer before."""
    rules, switches = registry.ruleset(last.preset), last.switches
    unit = USUAL if last.as_set == rules.sets else SET if last.as_set else ONE
    filled: dict[str, object] = {"unit": unit}
    for spec in rules.switch_specs:
        if spec.name not in switches:
            continue
        name, value = f"{rules.family}-{spec.name}", switches[spec.name]
        filled[name] = _write(value)
        if isinstance(spec, Letters) and value not in (known for known, _words in spec.choices):
            filled |= {name: SOME, name + PIECES: list(str(value))}
    return filled


def editions() -> dict[str, dict[str, object]]:
    """For the page's script: each preset's game, and what its switches say, by field."""
    return {
        rules.key: {
            "game": rules.family,
            "says": {
                f"{rules.family}-{name}": words for name, words in rulebook.sentences(rules).items()
            },
            "numbers": {
                f"{rules.family}-{spec.name}": rules.switches[spec.name]
                for spec in rules.switch_specs
                if isinstance(spec, Number)
            },
        }
        for rules in registry.presets()
    }


def _fields(name: str, spec: Switch, rules: Ruleset) -> dict[str, forms.Field]:
    """The fields of a switch: one, or two where pieces may be ticked."""
    if isinstance(spec, Number):
        return {name: _number(spec)}
    choices = [(_write(value), _(words)) for value, words in spec.choices]
    if isinstance(spec, Letters):
        choices.append((SOME, _("Only those ticked below")))
    field = forms.ChoiceField(
        label=_(spec.title),
        help_text=_(spec.about),
        required=False,
        choices=[(USUAL, _("As in the edition")), *choices],
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
    return {name: field, name + PIECES: ticks}


def _number(spec: Number) -> forms.Field:
    least, most = spec.offered
    facts = {"about": _(spec.about), "least": least, "most": most}
    told = _("%(about)s A whole number from %(least)s to %(most)s; left empty, as in the edition.")
    wrong = gettext_lazy("Write a whole number from %(least)s to %(most)s, or leave this empty.")
    refused = wrong % facts
    return forms.IntegerField(
        label=_(spec.title),
        help_text=told % facts,
        required=False,
        min_value=least,
        max_value=most,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), refused),
        widget=forms.NumberInput(attrs={"class": "short"}),
    )


def _write(value: Value) -> str:
    """A value as the form sends it; an empty text would stand for the edition's."""
    return write_value(value) or "-"


def _read(spec: Switch, value: Any) -> Value:
    """The value that a valid field stands for."""
    if isinstance(value, int):
        return value
    known = {_write(known): known for known, _words in spec.choices}
    return spec.admit(known.get(value, value))
