"""Columns of the terms of a match, for each model that stores them."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.play.terms import Terms
from games.rules import registry
from games.rules.core.ruleset.base import Ruleset


class TermsColumns(models.Model):
    """Base of Invitation and Match: a column for each term, named as the field of Terms."""

    preset = models.CharField(_("rules"), max_length=40)
    switches = models.JSONField(_("rule options"), default=dict, blank=True)
    pace = models.CharField(_("time control"), max_length=20)
    setup_pace = models.CharField(_("time for set-up"), max_length=20)
    soft = models.BooleanField(_("opponent decides on time-out"), default=False)
    vacations = models.BooleanField(_("vacations allowed"), default=False)
    memory_aid = models.BooleanField(_("memory aid"), default=True)
    rated = models.BooleanField(_("rated"), default=False, db_default=False)
    listed = models.BooleanField(_("listed for visitors"), default=True, db_default=True)

    class Meta:
        abstract = True

    @classmethod
    def names_of_terms(cls) -> list[str]:
        """The fields of Terms for which this model has a column."""
        columns = {column.name for column in cls._meta.concrete_fields}
        return [term.name for term in fields(Terms) if term.name in columns]

    @classmethod
    def columns_of(cls, terms: Terms) -> dict[str, Any]:
        """Terms as keyword arguments of this model."""
        return {name: getattr(terms, name) for name in cls.names_of_terms()}

    @property
    def terms(self) -> Terms:
        """The terms stored in this row."""
        return Terms.from_values({name: getattr(self, name) for name in self.names_of_terms()})

    @property
    def rules(self) -> Ruleset:
        """The rule set: the preset with the switches of this row."""
        return registry.ruleset(self.preset, self.switches)
