"""Commands: every change of a match. Each is one transaction; a rejected one raises a Refusal."""
