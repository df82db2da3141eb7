"""Leaks to plant, each a plausible mistake: the twins must detect all of them."""

from tests.secrecy.leaks import answers, api, clocks, emails, pages, plans, practice, records
from tests.secrecy.leaks.planting import LEAKS, Leak

__all__ = [
    "LEAKS",
    "Leak",
    "answers",
    "api",
    "clocks",
    "emails",
    "pages",
    "plans",
    "practice",
    "records",
]
