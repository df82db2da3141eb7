"""Parts of the export of a person's data: what each app exports, and what it does not, and why.

Each app declares its part in `export.py`; config/personal_data/exports.py collects them.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lib.exports.files import File

# Why a column or a model is left out.
WITHOUT_MEANING = "A number without meaning."
OF_THE_PERSON = "It is the person."
OF_THE_SITE = "It is about the site, not about a person."


@dataclass(frozen=True)
class Exported:
    """Where a model's rows of a person are exported: the file, and which columns."""

    file: str  # "N" stands for a number
    columns: tuple[str, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)  # column: a sentence that says why


@dataclass(frozen=True)
class Part:
    """What a room exports of a person, and what it does not, with a sentence that says why.

    `files` gets the user. Models are named by their labels. A test checks that every model, and
    every column of an exported one, is named in one of the parts.
    """

    files: Callable[[Any], Iterator[File]]
    models: Mapping[str, Exported] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
