"""Texts about matches: what happened, the rules that were agreed, refusals, results."""
