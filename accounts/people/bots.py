"""Bots: accounts of programs that belong to a person and act by tokens only."""

import re

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.values import usernames

MAX_BOTS = 3  # of a person
MAX_NAME_CHARACTERS = usernames.MAX_LENGTH - len(usernames.BOT)

_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9_-]{{1,{MAX_NAME_CHARACTERS - 1}}}", re.ASCII)


class BotRefused(Exception):  # noqa: N818 -- nothing went wrong.
    """A bot was not made; the text says why."""


def create(owner: User, name: str) -> User:
    """Make the bot `Bot-NAME` of a person, without address and password.

    Raises BotRefused, with a sentence, for a wrong or taken name, an owner who is no active
    person, and one who has MAX_BOTS.
    """
    if not _NAME.fullmatch(name):
        raise BotRefused(
            _(
                "After %(prefix)s, the name of a bot has 2 to %(longest)s letters from A to Z, "
                "digits, hyphens and underscores, and starts with a letter or digit."
            )
            % {"prefix": usernames.BOT, "longest": MAX_NAME_CHARACTERS}
        )
    bot = User(username=usernames.BOT + name, email="", match_emails=False, reminder_emails=False)
    bot.set_unusable_password()
    try:
        with transaction.atomic():
            # Two requests at once are counted one after the other.
            bot.owner = owner = User.objects.select_for_update().get(pk=owner.pk)
            if owner.kind != "person" or not owner.is_active or owner.pending:
                raise BotRefused(_("Only a person with an account can have bots."))
            if owner.closes_at is not None:
                raise BotRefused(_("Your account is about to be closed. Keep it to add a bot."))
            bot.silenced_until = owner.silenced_until
            if owner.bots.count() >= MAX_BOTS:
                raise BotRefused(
                    _("A person has at most %(most)s bots. Close one first.") % {"most": MAX_BOTS}
                )
            User.objects.abandoned().look_alikes(bot.username).delete()
            bot.clean()
            bot.save()
    except (ValidationError, IntegrityError) as error:
        taken = _("This username is taken. Please choose another.")
        sentences = error.messages if isinstance(error, ValidationError) else [taken]
        raise BotRefused(" ".join(sentences)) from None
    return bot
