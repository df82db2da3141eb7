"""Command words in the four languages; all are accepted, whatever the player's language.

Umlauts and accents may be missing, and Chinese may be in either script, since not every keyboard
has them.
"""

from games.mail.reading.commands import Verb
from lib import mail_words


def _spellings(command: str) -> str:
    return " ".join(mail_words.WORDS[command])


WORDS = {
    verb: _spellings(verb.value.removesuffix(" offer"))
    for verb in (
        Verb.RESIGN, Verb.DRAW_OFFER, Verb.ACCEPT, Verb.DECLINE, Verb.YES, Verb.NO, Verb.BOARD,
        Verb.MOVES, Verb.RULES, Verb.HELP, Verb.MATCHES, Verb.RANDOM, Verb.KEEP, Verb.REMATCH,
        Verb.ABORT, Verb.TOURNAMENTS, Verb.PLAN, Verb.FORGET, Verb.CLAIM, Verb.NEXT, Verb.LOBBY,
        Verb.WITHDRAW, Verb.UNDO,
    )
}  # fmt: skip
PHRASES = {
    "au hasard": Verb.RANDOM,
    "take back": Verb.UNDO,
}
LIST_WORDS = "list liste 列表"

VERB_BY_WORD = PHRASES | {word: verb for verb, words in WORDS.items() for word in words.split()}
VERB_BY_WORD |= {
    f"{board}{between}{word}": Verb.BOARD_LIST
    for board in WORDS[Verb.BOARD].split()
    for word in LIST_WORDS.split()
    for between in ("", " ")
    if between or not board.isascii()
}
# A draw offer may end in a question mark; so may a query.
MAY_BE_QUESTIONS = frozenset(
    (
        Verb.DRAW_OFFER, Verb.BOARD, Verb.BOARD_LIST, Verb.MOVES, Verb.RULES, Verb.HELP,
        Verb.MATCHES, Verb.NEXT, Verb.LOBBY, Verb.TOURNAMENTS, Verb.PLAN,
    )
)  # fmt: skip
# A match number may follow.
TAKES_MATCH_NUMBER = frozenset((Verb.BOARD, Verb.BOARD_LIST, Verb.MOVES, Verb.RULES, Verb.PLAN))

# What has to follow these is in argument_commands.py.
NOTE_WORDS = _spellings("note")
SAY_WORDS = _spellings("say")
PLAY_WORDS = _spellings("play")
SEAT_WORDS = _spellings("seat")
CHALLENGE_WORDS = _spellings("challenge")
LADDER_WORDS = _spellings("ladder")
JOIN_WORDS = _spellings("join")
ENTER_WORDS = _spellings("enter")
LEAVE_WORDS = _spellings("leave")
SETUP_WORDS = "setup set-up aufstellung disposition 佈陣 布陣 布阵"
RATED_WORDS = "rated gewertet classé classée classe classee 計分 计分"
FRIENDLY_WORDS = "friendly freundschaftlich amical amicale 友誼 友谊"
WAIT_WORDS = (
    "wait give warte warten gib gebe geben schenke schenken attendre attends attendez attend "
    "donner donne donnez accorder accorde accordez"
)
WAIT_WORDS_WITHOUT_SPACES = "等待 等 再等 多等 給 给 再給 再给 多給 多给"
DAY_WORDS = "d day days t tag tage j jour jours 天 日"
MATCH_WORDS = "match partie 對局 对局"
