"""The asker's account."""

from pydantic import Field

from games.api.schemas.basics import Answer, Instant, Kind


class Token(Answer):
    """The token of the request."""

    name: str
    scopes: list[str] = Field(examples=[["read", "play"]])
    expires_at: Instant


class Limits(Answer):
    """Requests a minute with this token; null: no limit."""

    read: int | None
    write: int | None


class Account(Answer):
    """The account of the token."""

    name: str
    kind: Kind
    owner: str | None = Field(description="of a bot: the person whose bot it is")
    token: Token
    waiting: int = Field(description="the number of matches in which it is the asker's turn")
    limits: Limits
