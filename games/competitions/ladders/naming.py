"""Words about the matches of challenges, for pages and e-mails."""

from django.utils.translation import gettext as _


def friendly_sentence() -> str:
    """Why a challenge is not rated although the ladder is."""
    return _("It is friendly, since you two cannot play a rated match at the moment.")
