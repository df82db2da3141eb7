"""Quotation headers: the lines "From: ... Sent: ... To: ..." above a quoted e-mail.

Outlook and similar programs quote without ">" marks, below such a header.
"""

import re
from collections.abc import Sequence

NEAR_LINES = 6  # a label starts a header if another label follows within these lines

# English, German, French, Spanish, Italian, Dutch, Portuguese, Russian, Chinese in both scripts,
# Japanese, Scandinavian, Polish and Korean.
FROM = "from von de da van от 寄件者 寄件人 发件人 發件人 差出人 från fra od 보낸사람"
OTHERS = {
    "sent": "sent date gesendet datum envoyé date fecha enviado inviato data verzonden отправлено "
    "дата 寄件日期 傳送日期 发送时间 發送時間 日期 送信日時 日時 skickat sendt wysłano",
    "to": "to an à para a aan кому 收件者 收件人 宛先 till til do",
    "subject": "subject betreff objet asunto oggetto onderwerp assunto тема 主旨 主題 主题 件名 "
    "ämne emne temat",
    "copy": "cc kopie копия 副本 抄送",
}  # fmt: skip
LABELS = dict.fromkeys(FROM.split(), "from") | {
    word: kind for kind, words in OTHERS.items() for word in words.split()
}
# May be bold (`*From:*`), in brackets or after a bullet; French has a space before the colon.
LABEL = re.compile(r"[\s*_\[【|]{0,6}([^\W\d_]{1,10})[\s*_]{0,4}[:：][\s*_]{0,4}\S")


def quotation_header_start(texts: Sequence[str]) -> int:
    """Index of the line where the first header begins; the number of lines if there is none."""
    kinds = [_kind(text) for text in texts]
    for number, kind in enumerate(kinds):
        near = {*filter(None, kinds[number : number + NEAR_LINES + 1])}
        if kind and "from" in near and len(near) > 1:
            return number
    return len(texts)


def _kind(text: str) -> str:
    label = LABEL.match(text[:60])
    return LABELS.get(label[1].lower(), "") if label else ""
