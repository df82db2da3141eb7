"""SMTP refusals: whose fault a 5xx answer is, the mailbox's or ours. Pure functions.

| the answer | whose fault |
|---|---|
| X.1.Z (address), X.2.Z (mailbox) | the mailbox's, unless the words speak of sender or relay |
| X.1.7, X.1.8 (the sender's address) | ours |
| X.3.Z to X.7.Z (system, network, protocol, content, policy) | ours, whatever the words |
| X.0.Z (nothing said) | ours, unless the words name the mailbox |
| no code, 550 to 553 at RCPT | the mailbox's, unless the words speak of sender, relay or policy |
| no code, 552 at DATA, words of a full mailbox | the mailbox's |
| no code, anything else | ours |

If an answer has several codes, one that blames us decides. In doubt the fault is ours: a delayed
e-mail does less harm than a wrong warning that a player's mailbox does not exist.
"""

import re
from enum import Enum
from typing import NamedTuple

MAX_ANSWER_BYTES = 2000  # read of one answer


class Stage(Enum):
    """The command that the server answered."""

    RCPT = "RCPT"
    DATA = "DATA"


class Fault(Enum):
    """What was refused."""

    ADDRESS = "address"  # the mailbox does not exist
    MAILBOX = "mailbox"  # it accepts nothing: full, disabled, or refused without a code
    OURS = "ours"  # our sender, relay, e-mail or reputation


class Refusal(NamedTuple):
    """Whose fault a refusal is, and its code: enhanced ("5.7.1"), else basic ("554")."""

    fault: Fault
    code: str

    @property
    def is_ours(self) -> bool:
        return self.fault == Fault.OURS


class _Code(NamedTuple):
    """An enhanced status code (RFC 3463)."""

    whole: str
    subject: int
    detail: int

    @property
    def blames_us(self) -> bool:
        return self.subject > 2 or (self.subject == 1 and self.detail in (7, 8))

    @property
    def is_about_mailbox(self) -> bool:
        return self.subject in (1, 2) and not self.blames_us


# Not IP addresses and version numbers, which have a fourth part or are part of a word.
_NUMBERS = rb"[45]\.[0-7]\.[0-9]{1,3}(?![0-9A-Za-z_]|\.[0-9])"
# At the beginning of a line, after a basic code, or marked as by qmail: (#5.1.1).
_MARKED = re.compile(rb"(?m)(?:^[ \t]*|\b[45][0-9][0-9][ -]|[#(\[])#?(" + _NUMBERS + rb")")
_ANYWHERE = re.compile(rb"(?<![0-9A-Za-z_.])(" + _NUMBERS + rb")")
_BASIC = re.compile(rb"\b(5[0-9][0-9])[ -]")
_AFTER_DATA = re.compile(rb"(?i)\bdata\b")


def _words(*words: str) -> bytes:
    """A pattern of these words and phrases that ignores host names like relay.example.org."""
    first, last = r"(?i)(?<![0-9A-Za-z_.-])(?:", r")(?![0-9A-Za-z_]|[.-][0-9A-Za-z])"
    return f"{first}{'|'.join(words)}{last}".encode()


# These count even with X.1 and X.2: servers refuse senders with "5.1.0 Sender address rejected:
# User unknown", and too many e-mails with "5.2.2 Submission quota exceeded".
_SENDER = re.compile(
    _words(
        "senders?(?:'s)?",
        "mail ?from",
        "from[ :-]+(?:address|domain|header|field)",
        "return[ -]path",
        "originators?",
        "send ?as",
        "relay(?:s|ed|ing)?",
        "rcpthosts|not a gateway",
        "spf|dkim|dmarc|rbls?|dnsbls?|surbl|uribl|spamhaus|spamcop|barracuda(?:central)?",
        "(?:black|block|deny)[ -]?list(?:s|ed|ing)?",
        "reputation",
        "client host",
        "helo|ehlo",
        "your (?:ip|isp|server|host|domain|network|mail server)",
        "has sent|too many recipients",
        "(?:submission|sending) (?:quotas?|limits?|rates?)",
        "you(?:'ve| have)? (?:reached|exceeded) (?:your|the|a) [a-z0-9 -]{0,20}(?:limits?|quotas?)",
    )
)
_SENDER_IN_WORD = re.compile(rb"(?i)submissionquota|sendasdenied|\.sender\b")
_BLOCK_LIST_IN_LINK = re.compile(rb"(?i)spamhaus|spamcop|dnsbl|barracuda|black-?list|block-?list")
# A table of recipients in Postfix, which is no word about relaying.
_RELAY_TABLE = re.compile(rb"(?i)\brelay[ _]recipients?[ _](?:table|maps?)")
_POLICY = re.compile(
    _words(
        "polic(?:y|ies)",
        "block(?:ed|s|ing)?",
        "(?:grey|gray|white|allow)[ -]?list(?:s|ed|ing)?",
        "listed|ban(?:s|ned)?|approved",
        "(?:anti-?)?(?:spam|virus)(?:my|ming|mer|assassin)?",
        "bulk|junk(?:mail)?|unsolicited|malware|phish(?:ing)?|suspicious|suspected",
        "forged|(?:anti-?)?spoof(?:ed|ing)?|impersonat(?:ed|ing|ion)",
        "uceprotect|sorbs|cloudmark|proofpoint|senderscore|abusix|mailspike|abuse|complaints?",
        "(?:un)?auth(?:enticat[a-z]*|ori[sz][a-z]*)?",
        "log(?:ged)?[ -]?(?:in|on)(?:to)?|passwords?|credentials?|pop before smtp",
        "access|den(?:y|ied)|permi(?:ts?|tted|ssions?)|prohibit(?:ed|ion)?|forbidden",
        "disallow(?:s|ed)?",
        "(?<!name )not (?:be )?allowed|only allow(?:s|ed)?",
        "not accept(?:ed|ing)?(?: (?:any|e-?mails?|mail|messages?|connections?|traffic))* from",
        "rates?|rate-?limit(?:s|ed|ing)?|throttl(?:ed|ing)|frequency|too (?:many|much|fast|often)",
        "(?:daily|hourly|message|recipient|connection|mail|traffic) limits?",
        "max(?:imum)? (?:e?mails|number|messages|recipients)|per (?:hour|day|minute)",
        "(?:message|mail) size|too (?:big|large)",
        "ips?|ip-?address(?:es)?|reverse|ptr|rdns|dns|hostname|dynamic|dial-?up|residential",
        "tls|starttls|encrypt(?:ed|ion)|certificate|signature|signed|spam-?trap",
        "content|filter(?:s|ed|ing)?|security|(?<!quota )violat(?:es?|ed|ing|ions?)",
        "administrative(?:ly)?|untrusted|trusted",
        "service (?:is )?(?:unavailable|not available)|try again|temporar(?:y|ily)|connections?",
    )
)
_FULL = re.compile(
    _words("(?:over)?quota", "storage", "full", "(?:out of|no|enough) (?:disk )?space")
)
_GONE = re.compile(
    _words(
        "unknown|unroute?able|undeliverable|inactive|disabled|suspended|closed|expired",
        "no (?:such|mailbox|account|user|longer)|recipient address rejected",
        "(?:not|doesn't|isn't) (?:an? )?(?:exists?|found|known|have|valid|active|registered)",
        "invalid|bad (?:recipient|destination|address|mailbox)",
        "(?:mailbox|account|recipient|user|address) (?:is )?(?:currently )?unavailable",
    )
)


def judge(stage: Stage, code: int, answer: bytes) -> Refusal:
    """Judge the answer to a command; `code` is its basic code, 500 or more.

    The lines of `answer` may or may not begin with the basic code.
    """
    answer = answer[:MAX_ANSWER_BYTES]
    text = _RELAY_TABLE.sub(b"", _without_addresses(answer))
    codes, of_sender = _codes(text), _speaks_of_sender(text, answer)
    blaming = next((one for one in codes if one.blames_us), None)
    if blaming is not None:
        return Refusal(Fault.OURS, blaming.whole)
    about_mailbox = [one for one in codes if one.is_about_mailbox]
    if about_mailbox:
        gone = all(one.subject == 1 for one in about_mailbox)
        fault = Fault.ADDRESS if gone else Fault.MAILBOX
        return Refusal(Fault.OURS if of_sender else fault, about_mailbox[0].whole)
    if codes:
        named = bool(_GONE.search(text) or _FULL.search(text))
    elif stage == Stage.RCPT:
        named = 550 <= code <= 553
    else:
        named = code == 552 and bool(_FULL.search(text))
    is_ours = of_sender or not named or _POLICY.search(text)
    return Refusal(Fault.OURS if is_ours else Fault.MAILBOX, codes[0].whole if codes else str(code))


def judge_report(status: bytes, diagnosis: bytes) -> Refusal:
    """Judge a bounce by its Status (RFC 3464) and the last mail server's answer.

    Both may be empty; then it counts as a refusal of the mailbox.
    """
    diagnosis = diagnosis[:MAX_ANSWER_BYTES]
    basic = _BASIC.search(_without_addresses(diagnosis))
    stage = Stage.DATA if basic and _AFTER_DATA.search(diagnosis) else Stage.RCPT
    return judge(stage, int(basic[1]) if basic else 550, status + b"\n" + diagnosis)


def _codes(text: bytes) -> list[_Code]:
    """The enhanced codes of an answer.

    A code in the middle of a sentence counts only if it blames us or is marked as a code. Temporary
    codes (4.X.X) are ignored if there is a permanent one, since they are quoted from earlier tries.
    """
    marked = [_code(code) for code in _MARKED.findall(text)]
    lasting = [one for one in marked if one.whole.startswith("5")]
    anywhere = [_code(code) for code in _ANYWHERE.findall(text)]
    blaming = [one for one in anywhere if one.blames_us and one.whole.startswith("5")]
    return [*(lasting or marked), *blaming]


def _code(text: bytes) -> _Code:
    whole = text.decode()
    _class, subject, detail = whole.split(".")
    return _Code(whole, int(subject), int(detail))


def _speaks_of_sender(text: bytes, answer: bytes) -> bool:
    """Whether words, or a link to a block list, show that the answer concerns the sender."""
    if _SENDER.search(text) or _SENDER_IN_WORD.search(text):
        return True
    return any(b"://" in word and _BLOCK_LIST_IN_LINK.search(word) for word in answer.split())


def _without_addresses(answer: bytes) -> bytes:
    """The answer without e-mail addresses and links, whose parts could match words."""
    lines = (
        b" ".join(word for word in line.split() if b"@" not in word and b"://" not in word)
        for line in answer.splitlines()
    )
    return b"\n".join(lines)
