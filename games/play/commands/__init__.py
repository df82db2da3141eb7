"""Commands: every change of a match; each is one transaction and raises Refusal to say no."""
