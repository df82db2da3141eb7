"""Admin of people's e-mails: what was posted to each person, and what came in."""

from games.mail.admin import people

__all__ = ["people"]
