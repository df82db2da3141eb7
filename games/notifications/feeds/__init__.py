"""Atom and iCalendar feeds at secret addresses."""
