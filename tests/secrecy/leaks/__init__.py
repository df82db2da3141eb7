"""Leaks to be planted, each a mistake that somebody could make: the twins must find every one."""

from tests.secrecy.leaks import answers, clocks, emails, pages, records
from tests.secrecy.leaks.planting import LEAKS, Leak

__all__ = ["LEAKS", "Leak", "answers", "clocks", "emails", "pages", "records"]
