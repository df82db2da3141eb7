"""Matches being played: their record, clocks, commands, and pages."""
