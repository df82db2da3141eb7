"""Texts about matches: what happened, the agreed rules, refusals, results."""
