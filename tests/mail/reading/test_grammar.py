"""The grammar of commands: a line is a command only if nothing else is on it."""

import pytest
from django.utils import translation

from games.mail.reading.commands import Command, Verb
from games.mail.reading.grammar import command_words
from games.notifications.email.replies import answer_words
from games.plan_language import words as plan_words
from tests.floors import at_least
from tests.mail.reading.reader import is_command, read_line

D4_D5 = """
d4-d5|D4-D5|d4d5|d4 d5|D4D5|d4 - d5|d4–d5|d4—d5|d4−d5|d4‑d5|d4->d5|d4-->d5|d4=>d5|d4>d5|d4→d5
d4 → d5|d4 to d5|d4 nach d5|d4 à d5|d4到d5|d4 至 d5|ｄ４－ｄ５|d4~d5|d4ーd5|d4 ➔ d5|d4  d5|d4 è d5
d4–>d5|d4 —> d5|d4〜d5
move d4-d5|move: d4-d5|Zug d4-d5|Zug: d4-d5|coup d4-d5|Coup : d4-d5|走 d4-d5|移動 d4-d5
- d4-d5|-d4-d5|* d4-d5|• d4-d5|· d4-d5|1. d4-d5|1) d4-d5|(1) d4-d5|17. d4-d5|17.d4-d5|1. * d4-d5
*d4-d5*|**d4-d5**|_d4-d5_|`d4-d5`|"d4-d5"|'d4-d5'|„d4-d5“|«d4-d5»|« d4-d5 »|“D4-D5”|「d4-d5」
*"d4-d5"*|"d4-d5."|"d4-d5".|*d4-d5.*|d4-d5.|d4-d5!|d4-d5!!|d4-d5,|d4-d5;|d4-d5。|d4-d5！|d4-d5 .
  d4-d5|d4-d5  |\td4-d5|d4\xa0-\xa0d5|d4-d5\xa0|\u3000d4-d5|\u200bd4-d5\u200b
d4\u200b-d5|\ufeffd4-d5
d4\xad-d5|\u200ed4-d5|d4\u2060-\u2060d5|d4➡\ufe0fd5|-- d4-d5|--d4-d5|— d4-d5|𝐝𝟒-𝐝𝟓
d4-d5 ~d6|d4-d5 ~d6!
""".strip()


def texts(table: str) -> list[str]:
    return [text for line in table.strip("\n").split("\n") for text in line.split("|")]


@pytest.mark.parametrize("line", texts(D4_D5))
def test_a_move_may_have_any_separator_and_marks_around_it(line: str) -> None:
    assert read_line(line) == Command(Verb.MOVE, squares=("d4", "d5"))


@pytest.mark.parametrize(
    "line",
    texts(
        "d4xd5|d4 x d5|D4XD5|d4×d5|d4:d5|d4 : d5|d4 takes d5|d4 schlägt d5|d4 prend d5|d4吃d5"
        "|d4xd5[RvK]-|d4xd5[CvV]+d|d4xd5[52v64]+|1. d4xd5!"
    ),
)
def test_a_cross_claims_a_capture(line: str) -> None:
    assert read_line(line) == Command(Verb.MOVE, squares=("d4", "d5"), claims_capture=True)


@pytest.mark.parametrize(
    ("line", "squares", "claims"),
    [
        ("a9a10", "a9 a10", False),
        ("h10h9", "h10 h9", False),
        ("a10-a1", "a10 a1", False),
        ("d2-d5xd6", "d2 d5 d6", True),
        ("d2 d5 d6", "d2 d5 d6", False),
        ("d2d5d6", "d2 d5 d6", False),
        ("d2-d5-e5", "d2 d5 e5", False),
        ("d5xd3xb5", "d5 d3 b5", True),
        ("d5 d3 b5", "d5 d3 b5", False),
        ("d5-d3-b5-b3-d1", "d5 d3 b5 b3 d1", False),
        ("c7 e7", "c7 e7", False),
    ],
)
def test_charges_and_chains_are_their_squares_in_order(
    line: str, squares: str, claims: bool
) -> None:
    assert read_line(line) == Command(
        Verb.MOVE, squares=tuple(squares.split()), claims_capture=claims
    )


@pytest.mark.parametrize(
    "line",
    texts(
        "blow d6 c4-c5|Blow d6, c4-c5|blow d6: c4-c5|huff d6 c4 c5|blow d6 and c4-c5|*d6,c4-c5"
        "|*d6 c4-c5|*d6, c4-c5|*d6c4-c5|blase d6 c4-c5|puste d6, c4-c5|souffle d6 c4-c5"
        "|souffler d6 c4-c5|吹 d6 c4-c5|blow d6 then c4-c5|- blow d6 c4-c5.|*blow d6 c4-c5*"
        "|blow d6, move c4-c5"
    ),
)
def test_a_huff_has_a_point_and_a_move(line: str) -> None:
    assert read_line(line) == Command(Verb.MOVE, squares=("c4", "c5"), huff="d6")


@pytest.mark.parametrize("line", ["blow d6", "*d6", "吹 d6", "souffler d6."])
def test_the_last_officer_is_huffed_without_a_move(line: str) -> None:
    assert read_line(line) == Command(Verb.MOVE, huff="d6")


def test_paired_stars_are_emphasis_and_a_star_before_a_space_is_a_bullet() -> None:
    assert read_line("*d6*") is None
    assert read_line("* d6") is None
    assert read_line("*d5 d3 b5*") == Command(Verb.MOVE, squares=("d5", "d3", "b5"))


WORDS = {
    Verb.RESIGN: "resign|aufgeben|abandonner|認輸|认输|Resign.|RESIGN|*resign*",
    Verb.DRAW_OFFER: "draw?|draw|remis|Remis?|nulle|nulle ?|提和|提和？|Draw ?",
    Verb.ACCEPT: "accept|annehmen|accepter|接受|Accept!",
    Verb.DECLINE: "decline|ablehnen|refuser|婉拒",
    Verb.YES: "yes|ja|oui|是|Yes.|Ja!|« Oui »|是。",
    Verb.NO: "no|nein|non|否",
    Verb.BOARD: "board|brett|plateau|棋盤|棋盘|board?|Board.",
    Verb.BOARD_LIST: "board list|brett liste|plateau liste|棋盤 列表|棋盤列表|Board List",
    Verb.MOVES: "moves|züge|zuege|coups|棋步",
    Verb.RULES: "rules|regeln|règles|regles|規則",
    Verb.HELP: "help|hilfe|aide|說明|help?|HELP!",
    Verb.MATCHES: "matches|partien|parties|對局",
    Verb.RANDOM: "random|zufällig|zufaellig|hasard|au hasard|隨機",
    Verb.KEEP: "keep|behalten|garder|保留",
    Verb.REMATCH: "rematch|revanche|再戰",
    Verb.ABORT: "abort|abbrechen|annuler|取消",
    Verb.CLAIM: "claim|Claim.|beanspruchen|réclamer",
    Verb.NEXT: "next|Next.|weiter|suivant|下一個",
    Verb.LOBBY: "lobby|Lobby|大廳",
    Verb.PLAN: "plan|Plan.|plan?|計畫|计划|計劃",
    Verb.FORGET: "forget|vergessen|oublier|忘記|忘记|Forget!",
    Verb.UNDO: "undo|take back|悔棋",
    Verb.WITHDRAW: "withdraw|zurückziehen",
}


@pytest.mark.parametrize(
    ("line", "verb"), [(word, verb) for verb, words in WORDS.items() for word in words.split("|")]
)
def test_a_command_word_alone_on_its_line_is_a_command_in_any_language(
    line: str, verb: Verb
) -> None:
    assert read_line(line) == Command(verb)


@pytest.mark.parametrize(
    ("line", "days"),
    [
        *((line, "1d") for line in texts("wait 1d|wait 1 d|Wait 1 day|wait a day|give a day|give 1d"
          "|give one day|give another day|warte 1 Tag|warten 1d|gib einen Tag|gib noch einen Tag"
          + "|attendre 1 jour|attends 1 j|donner un jour|等1天|等 一天|給一天|Give a day.")),
        *((line, "1d") for line in texts("wait 1 Tag|warten 1 jour|attendre 1 day|wait 1天"
          "|WARTEN 1T|warten ein Tag|warten Sie einen Tag|einen Tag warten|1 Tag warten"
          "|noch einen Tag geben|einen weiteren Tag geben|schenke einen Tag"
          "|warte noch einen Tag|warten 1d!"
          "|attendre 1d|attendre 1j|attendez un jour|donner un jour de plus|accorder un jour"
          "|donne encore un jour|attendre encore 1 jour|wait one more day|wait a day more"
          "|等待 1d|等待１ｄ|等待 １ 天|等一天|等待一日|再等一天|多等1天|再給一天|给 1 天|給1日")),
        *((line, "2d") for line in texts("wait 2 days|wait two days|warten zwei Tage|等待兩天"
          "|attendre deux jours|2 Tage warten|给两天")),
        ("wait 3d", "3d"),
        ("drei Tage warten", "3d"),
    ],
)  # fmt: skip
def test_time_is_given_in_days(line: str, days: str) -> None:
    assert read_line(line) == Command(Verb.WAIT, argument=days)


@pytest.mark.parametrize(
    "line",
    [
        "wait", "wait 1", "wait ad", "wait day", "warten Tag", "wait 0d", "wait 100d", "1d",
        "un jour", "ein Tag", "wait a day?", "I can wait a day", "wait a day or two", "等", "等天",
        "wait 1dd",
        "attendre un", "wait 1 d d", "einen Tag", "give a", "wait wait 1d", "wait 1 2 d",
    ],
)  # fmt: skip
def test_other_texts_give_no_time(line: str) -> None:
    assert read_line(line) is None


@pytest.mark.parametrize("language", ["en", "de", "fr", "zh-hant"])
def test_the_words_of_an_email_give_a_day_in_every_language(language: str) -> None:
    with translation.override(language):
        taught = answer_words.word("wait 1d")
    assert read_line(taught) == Command(Verb.WAIT, argument="1d")


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("7: d4-d5", Command(Verb.MOVE, squares=("d4", "d5"), match=7)),
        ("#7: d4-d5", Command(Verb.MOVE, squares=("d4", "d5"), match=7)),
        ("Match 7: d4-d5", Command(Verb.MOVE, squares=("d4", "d5"), match=7)),
        ("- 12: d4xd5.", Command(Verb.MOVE, squares=("d4", "d5"), claims_capture=True, match=12)),
        ("對局 7：認輸", Command(Verb.RESIGN, match=7)),
        ("7: draw?", Command(Verb.DRAW_OFFER, match=7)),
        ("7: note guard e7", Command(Verb.NOTE, argument="guard e7", match=7)),
        ("board 7", Command(Verb.BOARD, match=7)),
        ("Brett 7", Command(Verb.BOARD, match=7)),
        ("board list 7", Command(Verb.BOARD_LIST, match=7)),
        ("moves 7", Command(Verb.MOVES, match=7)),
        ("7: board", Command(Verb.BOARD, match=7)),
        ("7: blow d6 c4-c5", Command(Verb.MOVE, squares=("c4", "c5"), huff="d6", match=7)),
    ],
)
def test_a_line_may_begin_with_a_match_number(line: str, command: Command) -> None:
    assert read_line(line) == command


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("note e7 may be the spy.", Command(Verb.NOTE, "e7 may be the spy.")),
        ("Notiz: e7 ist ein Spion?", Command(Verb.NOTE, "e7 ist ein Spion?")),
        ("筆記：他的間諜在 e7", Command(Verb.NOTE, "他的間諜在 e7")),
        ("say well played", Command(Verb.SAY, "well played")),
        ("if d4xd5 then e6-e5", Command(Verb.IF, "if d4xd5 then e6-e5")),
        ("wenn d4-d5, dann e6xe5", Command(Verb.IF, "if d4-d5 then e6xe5")),
        ("如果任何則d5-d6", Command(Verb.IF, "otherwise d5-d6")),
        ("- *sonst a1-a2.*", Command(Verb.IF, "otherwise a1-a2")),
        ("if *d6,c4-c5 then e5xe3", Command(Verb.IF, "if *d6,c4-c5 then e5xe3")),
        ("7: if xd4 then c4xd4", Command(Verb.IF, "if xd4 then c4xd4", match=7)),
        ("si e7xe6 [ m ] alors d5xe6", Command(Verb.IF, "if e7xe6[M] then d5xe6")),
        # Meant as lines, and refused.
        ("if e7-e6 d5xe6", Command(Verb.IF, "if e7-e6 d5xe6")),
        ("Wenn e7-e6 dann ziehe ich.", Command(Verb.IF, "Wenn e7-e6 dann ziehe ich.")),
        ("if e7-e6 then d5xe6?", Command(Verb.IF, "if e7-e6 then d5xe6?")),
        ("otherwise d5 d6 d7", Command(Verb.IF, "otherwise d5 d6 d7")),
        ("plan 7", Command(Verb.PLAN, match=7)),
        ("seat domino 3d", Command(Verb.SEAT, "domino 3d")),
        ("Seat L'Attaque 3d", Command(Verb.SEAT, "L'Attaque 3d")),
        ("challenge clara assaut", Command(Verb.CHALLENGE, "clara assaut")),
        ("challenge Clara lattaque-zh 3d", Command(Verb.CHALLENGE, "Clara lattaque-zh 3d")),
        ("play domino", Command(Verb.PLAY, "domino")),
        ("Play lattaque zh 5d.", Command(Verb.PLAY, "lattaque zh 5d")),
        ("spiele assaut 3d", Command(Verb.PLAY, "assaut 3d")),
        ("jouer tactique", Command(Verb.PLAY, "tactique")),
        ("對弈 domino 3d", Command(Verb.PLAY, "domino 3d")),
        ("seat domino 3d rated", Command(Verb.SEAT, "domino 3d rated")),
        ("seat lattaque zh 3d friendly", Command(Verb.SEAT, "lattaque zh 3d friendly")),
        ("Platz domino freundschaftlich", Command(Verb.SEAT, "domino freundschaftlich")),
        ("place domino 3d classée", Command(Verb.SEAT, "domino 3d classée")),
        ("座位 domino 計分 3d", Command(Verb.SEAT, "domino 計分 3d")),
        ("challenge Clara domino 友誼", Command(Verb.CHALLENGE, "Clara domino 友誼")),
        ("join 12", Command(Verb.JOIN, "12")),
        ("withdraw 12", Command(Verb.WITHDRAW, "12")),
        ("setup: Fortress of Solitude", Command(Verb.SETUP, "Fortress of Solitude")),
        ("c7,e7", Command(Verb.SETUP, squares=("c7", "e7"))),
        ("C7, E7.", Command(Verb.SETUP, squares=("c7", "e7"))),
        ("c6 and e6", Command(Verb.SETUP, squares=("c6", "e6"))),
    ],
)  # fmt: skip
def test_some_commands_have_an_argument(line: str, command: Command) -> None:
    assert read_line(line) == command


@pytest.mark.parametrize(
    "line",
    [
        "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES",
        "rrr1r1rsce/ebfllm1ecb/klrskbr1bs/lgjjkyrkes",
        "4056104666025513/2244113533610041/6325125026453406",
        "2VA3I/PIPPPIFI/CIPVACAP/IIPVIAPV",
        "R R R . R . R S C E / EBFLLM.ECB / KLRSKBR.BS / LGJJKYRKES",
        "setup: SBRKRRBES/EMSFCYRBK/KGCRKBELE/RLLJSRLRJ",
        "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKXRKES",
    ],
)
def test_a_set_up_may_be_one_line_with_slashes(line: str) -> None:
    command = read_line(line)
    assert command is not None and command.verb is Verb.SETUP and len(command.rows) in (3, 4)
    assert not command.drawn


PROSE = """
d4-d5?|d4-d5 ?|d4-d5!?|d4-d5?!|d4-d5...|d4-d5…|d4-d5 or d4-e4|I play d4-d5|d4-d5 please|my d4-d5
d4|d4-|-d5|d4 and d5|d4, d5|d4/d5|d4-d5, e4-e5|d4 d|z4-z5|d0-d1|d04-d05|d4-d555|44-45|d4--|d4d
а4-а5|d4-ԁ5|\u202ed5-d4\u202c|\u2066d4-d5\u2069|d4\u202d-d5|d\u0338\u0034-d5|d4-d5\x00|d\x034-d5
resign?|accept?|yes?|ja?|Resign!?|I resign|resigned|resign now|not resign|don't resign
no way|yes but d4-d5|yes, d4-d5|board game|board members|boards|moved|rules of thumb|help me
help yourself|keep calm|keep it|draw a line|drawing|a draw|accepted|acceptance|random thoughts
wait|wait a minute|wait for me|wait 1|give me a day|wait 1h?|give a damn|one day|next week
next time|matches are fun|the board|my board|No problem|ja ja|oui oui|non merci|aide-moi
if you like we can pause|otherwise we play d5|sonst alles gut|如果你喜歡|若|si|forget it|planned
my plan|plan b|don't forget|if quiet then we rest|then d5xe6|if x then y|forget?|oublier?
If you take d5 I am lost|if only|wenn du ziehst|si tu veux|if d4|join us|join|seat|seat 12
play|play on|play chess|Play well!|let us play domino|seat domino 3d rated please now
challenge accepted|challenge accepted my friend|challenge|join 12 people|join twelve|withdrawal
2026/11/22|22/11/2026 10:00|https://play.example.org/matches/7|games/mail/reading/grammar
and/or/but/nor|a/b/c|AAAA/BBBB|7|7:|7: |10:30|at 10:30|7: maybe|:|?|!|...|---|***|===|#
On Sun, 22 Nov 2026 at 10:00, Estafette wrote:|Am 22.11.2026 um 10:00 schrieb Estafette:
You are South in match 3, L'Attaque, Gibson's board.|bert moved d7-d6.|Last: h10 from g10.
Sent from my iPhone|Von meinem iPhone gesendet|Envoyé de mon iPhone|從我的 iPhone 傳送|-- |Anna
A4 paper|B2B|mp3 h264|e4 e5 Nf3|Nf3|e2e4q|notes|notebook|noted|say|saying so|undoing
Setup was hard for me
Theirs: 33 hidden, in row 10: a b c e f; face up: Lieutenant f7.|Scouts b3, e4, h3.
~~d4-d5~~|(d4-d5|d4-d5)|[d4-d5]|<d4-d5>|d4-d5 :-)|d4-d5 😀|> d4-d5|>d4-d5
""".strip()


@pytest.mark.parametrize("line", [*texts(PROSE), "d4-d5 " * 60, "d4" + "\u0301" * 299, "", " "])
def test_anything_else_is_prose(line: str) -> None:
    assert not is_command(line)


def test_a_move_is_written_in_record_notation() -> None:
    for text in ("d4-d5", "d4xd5", "*d6,c4-c5", "*d6", "d5xd3xb5"):
        command = read_line(text)
        assert command is not None and command.move_text == text


def test_each_word_has_one_meaning() -> None:
    verbs: dict[str, set[Verb]] = {}
    for verb, spellings in command_words.WORDS.items():
        for word in spellings.split():
            verbs.setdefault(word, set()).add(verb)
    assert [word for word in at_least(100, verbs) if len(verbs[word]) > 1] == []
    assert not verbs.keys() & plan_words.WORD.keys()


@pytest.mark.parametrize("line", ["Seat L’Attaque 3d", "seat l‘attaque 3d", "seat l'attaque 3d."])
def test_typographic_apostrophes_are_accepted(line: str) -> None:
    command = read_line(line)
    assert command is not None and command.verb is Verb.SEAT
    assert command.argument.lower() == "l'attaque 3d"
