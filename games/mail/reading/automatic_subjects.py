"""Subjects of automatic mail: auto-replies, read receipts, calendar replies, bounces.

A subject proves nothing, so such a message is only suspected to be automatic: its commands are
carried out, but a message without commands gets no receipt.
"""

import re
from email.errors import HeaderParseError
from email.header import decode_header

from games.mail.reading.mime.charsets import decoded

MAX_SUBJECT_CHARACTERS = 400

REPLY_PREFIX = re.compile(
    r"(?:(?:re|aw|sv|antw|tr|rv|res|fwd?|wg|回覆|回复|答复|转发|轉寄) ?[:：] ?)+"
)
# English, German, French, Spanish, Italian, Dutch, Portuguese, Russian, Chinese, Japanese, Korean,
# Scandinavian, Polish and Czech.
BEGINNINGS = (
    "automatic reply", "auto reply", "auto-reply", "autoreply", "automated reply", "auto response",
    "auto-response", "autoresponse", "autoresponder", "automatic response", "auto:",
    "out of office", "out of the office", "out-of-office", "ooo:", "ooo re:", "ooo]",
    "vacation reply", "vacation:", "vacation re:", "away from my mail", "away from the office",
    "away:", "on vacation", "on leave", "annual leave", "holiday:",
    "i'm on vacation", "i am on vacation", "i’m on vacation", "i'm out of", "i am out of",
    "automatische antwort", "automatische rückantwort", "autom. antwort", "abwesen",
    "automatische reaktion", "nicht im büro", "im urlaub", "ich bin im urlaub", "urlaub:",
    "réponse automatique", "reponse automatique", "absence du bureau", "absent du bureau",
    "message d'absence", "message d’absence", "en congé", "en vacances", "absence :",
    "je suis absent",
    "respuesta automática", "respuesta automatica", "respuesta de ausencia", "autorespuesta",
    "fuera de la oficina", "fuera de oficina", "de vacaciones",
    "risposta automatica", "fuori sede", "fuori ufficio", "assente:", "assenza", "in vacanza",
    "automatisch antwoord", "automatische beantwoording", "afwezig", "niet aanwezig",
    "met vakantie",
    "resposta automática", "resposta automatica", "fora do escritório", "ausência", "ausente:",
    "автоматический ответ", "автоответ", "отсутствую", "нет на месте", "в отпуске", "я в отпуске",
    "自動回覆", "自动回复", "自動答覆", "自动答复", "自動回信", "外出", "不在辦公室", "不在办公室",
    "休假", "請假", "请假",
    "自動返信", "自動応答", "不在通知", "不在のお知らせ", "不在連絡", "休暇",
    "자동 회신", "자동회신", "자동 응답", "자동응답", "부재중", "부재 중",
    "automatiskt svar", "autosvar", "automatisk svar", "frånvar", "fravær",
    "odpowiedź automatyczna", "autoodpowiedź", "automatyczna odpowiedź", "automatická odpověď",
    # Read receipts.
    "read:", "not read:", "read receipt", "return receipt", "disposition notification",
    "gelesen:", "ungelesen:", "nicht gelesen:", "lesebestätigung",
    "lu :", "lu:", "non lu :", "accusé de lecture", "confirmation de lecture",
    "leído:", "confirmación de lectura", "letto:", "conferma di lettura", "ricevuta di ritorno",
    "gelezen:", "leesbevestiging", "lida:", "lido:", "confirmação de leitura",
    "прочитано:", "прочтено:", "уведомление о прочтении",
    "已讀:", "已读:", "已讀：", "已读：", "已讀回條", "已读回执", "開封済み", "開封確認", "읽음:",
    # Replies to calendar invitations, and message recalls.
    "accepted:", "declined:", "tentative:", "tentatively accepted:",
    "zugesagt:", "angenommen:", "abgelehnt:", "mit vorbehalt:", "accepté :", "refusé :",
    "provisoire :", "aceptado:", "accettato:", "geaccepteerd:", "aceito:", "принято:",
    "已接受:", "已接受：", "承諾:", "recall:", "message recall", "rückruf:",
    # Bounces.
    "undeliver", "unzustellbar", "non remis", "no se puede entregar", "non recapitabile",
    "mail delivery failed", "mail delivery system", "delivery status notification",
    "delivery failure",
    "returned mail", "failure notice",
)  # fmt: skip
# Also in the middle, as Notes writes: "Anna is out of the office".
ANYWHERE = (
    "automatic reply", "auto-reply", "autoreply", "out of office", "out of the office",
    "automatische antwort", "abwesenheitsnotiz", "derzeit abwesend", "außer haus", "nicht im büro",
    "réponse automatique", "absence du bureau", "absent du bureau", "absent(e) du bureau",
    "respuesta automática", "risposta automatica", "fuori ufficio", "automatisch antwoord",
    "resposta automática", "автоматический ответ", "自動回覆", "自动回复", "自動返信", "自動応答",
    "자동응답",
)  # fmt: skip


def is_automatic_subject(subject: str) -> bool:
    """Whether the raw value of a Subject field looks like that of automatic mail."""
    text = " ".join(_decoded(subject[:MAX_SUBJECT_CHARACTERS]).casefold().split())
    if prefix := REPLY_PREFIX.match(text):
        text = text[prefix.end() :]
    begins = text.lstrip("[(*-! ").startswith(_FOLDED_BEGINNINGS)
    return begins or any(words in text for words in _FOLDED_ANYWHERE)


def _folded(phrases: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(phrase.casefold() for phrase in phrases)


_FOLDED_BEGINNINGS, _FOLDED_ANYWHERE = _folded(BEGINNINGS), _folded(ANYWHERE)


def _decoded(subject: str) -> str:
    try:
        words = decode_header(subject)
    except (HeaderParseError, ValueError):
        return subject
    return "".join(
        word if isinstance(word, str) else decoded(word, charset or "us-ascii")
        for word, charset in words
    )
