# ruff: noqa: E501, W291 - mail programs write long lines, and signatures end in a space.
"""Replies as mail programs write them: where they put the reply, and how they quote.

Each one has a text and, if the program writes it, HTML. `{a}` is the reply, `{q}` the e-mail with
quotation marks before its lines, `{o}` the e-mail without them.
"""

from dataclasses import dataclass
from email.message import EmailMessage
from html import escape

EMAIL = """\
bert has moved: h10-g10. It is your turn.

Match 7, L'Attaque against bert. You have 3 days, until Sunday, 22
November 2026, 18:00.

     a   b   c   d   e   f   g   h   i   j
10   n?  n?  n?  .   n?  n?  n?* ,   n?  n?  10
 9   n?  n?  .   n?  n?  n?  n?  n?  n?  n?   9
 8   .   n?  n?  n?  n?  .   n?  n?  n?  n?   8
 7   n?  .   n?  n?  .   n?  n?  .   n?  n?   7
 6   .   .   ~~  ~~  M!  .   ~~  ~~  .   .    6
 5   .   .   ~~  ~~  .   .   ~~  ~~  .   .    5
 4   R   R   R   .   R   .   R   S   C   E    4
     a   b   c   d   e   f   g   h   i   j

Answer with a move on a line of its own, for example a4-a5 or a4xa9,
or with draw?, resign, board or help.

https://play.example.org/matches/7
-- 
Estafette. No more e-mails: https://play.example.org/stop/17/AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"""

# An earlier reply of the player, deeper in the thread: with quotation marks if the program writes
# them.
EARLIER = "resign"


@dataclass(frozen=True)
class Shape:
    """How one mail program writes a reply."""

    name: str
    text: str = ""
    html: str = ""
    charset: str = "utf-8"
    encoding: str | None = None
    mark: str = "> "


def thread(mark: str = "") -> str:
    return EMAIL.replace("https://", f"{mark}{EARLIER}\n\nhttps://", 1)


def message(shape: Shape, answer: str) -> bytes:
    """The raw reply."""
    quoted = "\n".join((shape.mark + line).rstrip() for line in thread("> ").split("\n"))
    lines = answer.split("\n")
    parts = {
        "a": answer,
        "q": quoted,
        "o": thread(),
        "A": "<br>".join(map(escape, lines)),
        "D": "".join(f"<div>{escape(line) or '<br>'}</div>" for line in lines),
        "P": "".join(f'<p class="MsoNormal">{escape(line) or "&nbsp;"}<o:p></o:p></p>' for line in lines),
        "O": "<br>\n".join(map(escape, thread().split("\n"))),
    }  # fmt: skip
    mail = EmailMessage()
    mail["From"] = "Anna <anna@example.org>"
    mail["To"] = "reply+abcdefghijklmnopqrstuvwxyz@play.example.org"
    mail["Subject"] = "Re: Match 7: bert, L'Attaque"
    mail["Message-ID"] = "<answer@example.org>"
    if shape.text:
        mail.set_content(fill_in(shape.text, parts), charset=shape.charset, cte=shape.encoding)
    if shape.html and shape.text:
        mail.add_alternative(fill_in(shape.html, parts), subtype="html")
    elif shape.html:
        mail.set_content(fill_in(shape.html, parts), subtype="html")
    return mail.as_bytes()


def fill_in(template: str, parts: dict[str, str]) -> str:
    for name, text in parts.items():
        template = template.replace("{" + name + "}", text)
    return template


EN = "On Sun, 22 Nov 2026 at 10:00, Estafette <reply+abcdefghijklmnopqrstuvwxyz@play.example.org> wrote:"
DE = "Am So., 22. Nov. 2026 um 10:00 Uhr schrieb Estafette <reply+abcdefghijkl@play.example.org>:"
FR = "Le dim. 22 nov. 2026 à 10:00, Estafette <reply+abcdefghijklmnop@play.example.org> a écrit :"
ES = "El dom, 22 nov 2026 a las 10:00, Estafette (<reply+abcdefg@play.example.org>) escribió:"
NL = "Op zo 22 nov 2026 om 10:00 schreef Estafette <reply+abcdefgh@play.example.org>:"
ZH = "Estafette <reply+abcdefgh@play.example.org> 於 2026年11月22日 週日 上午10:00寫道："
JA = "2026年11月22日(日) 10:00 Estafette <reply+abcdefgh@play.example.org>:"
RU = "вс, 22 нояб. 2026 г. в 10:00, Estafette <reply+abcdefgh@play.example.org>:"
IT = "Il giorno dom 22 nov 2026 alle ore 10:00 Estafette <reply+a@play.example.org> ha scritto:"
PT = "Em dom., 22 de nov. de 2026 às 10:00, Estafette <reply+a@play.example.org> escreveu:"

GMAIL = (
    '<div dir="ltr">{A}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" '
    'class="gmail_attr">On Sun wrote:<br></div><blockquote class="gmail_quote" style="margin:0px">'
    "{O}</blockquote></div>"
)
OUTLOOK_TEXT = (
    "{a}\n\n________________________________\nFrom: Estafette <reply+abc@play.example.org>\n"
    "Sent: Sunday, November 22, 2026 10:00 AM\nTo: Anna <anna@example.org>\n"
    "Subject: Match 7: bert, L'Attaque\n\n{o}"
)
OUTLOOK_WEB = (
    '<html><head><style type="text/css">P {margin-top:0;}</style></head><body dir="ltr">'
    '<div class="elementToProof">{A}</div><div id="appendonsend"></div><hr tabindex="-1">'
    '<div id="divRplyFwdMsg" dir="ltr"><b>From:</b> Estafette<br><b>Sent:</b> Sunday<br></div>'
    "<div>{O}</div></body></html>"
)
OUTLOOK_DESKTOP = (
    '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><!--[if gte mso 9]><xml>'
    '<o:shapedefaults v:ext="edit" spidmax="1026"/></xml><![endif]--><style><!-- @font-face '
    '{font-family:Calibri;} --></style></head><body><div class="WordSection1">{P}'
    '<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
    '<p class="MsoNormal"><b>From:</b> Estafette<br><b>Sent:</b> Sunday<br><b>To:</b> Anna</p>'
    "</div></div><div>{O}</div></div></body></html>"
)


def attribution(name: str, line: str, **more: str) -> Shape:
    return Shape(name, "{a}\n\n" + line + "\n\n{q}\n", **more)


def outlook(name: str, rule: str, *labels: str, **more: str) -> Shape:
    head = "\n".join(f"{label} x" for label in labels)
    return Shape(name, "{a}\n\n" + rule + "\n" + head + "\n\n{o}\n", **more)


SHAPES = [
    Shape("nothing quoted", "{a}\n"),
    Shape("gmail web", "{a}\n\n" + EN + "\n\n{q}\n", GMAIL),
    *(attribution(f"gmail {name}", line) for name, line in zip(
        ["de", "fr", "es", "nl", "zh", "ja", "ru", "it", "pt"], (DE, FR, ES, NL, ZH, JA, RU, IT, PT), strict=True)),
    Shape("gmail attribution wrapped", "{a}\n\nOn Sun, 22 Nov 2026 at 10:00, Estafette <\n"
          "reply+abcdefghijklmnopqrstuvwxyz@play.example.org> wrote:\n\n{q}\n", GMAIL),
    Shape("gmail below", EN + "\n\n{q}\n\n{a}\n"),
    Shape("gmail html only", "", GMAIL),
    Shape("gmail android", "{a}\n\n" + EN + "\n\n{q}\n", '<div dir="auto">{D}</div><br>'
          '<div class="gmail_quote"><div dir="ltr" class="gmail_attr">x</div><blockquote>{O}'
          "</blockquote></div>"),
    Shape("outlook web", OUTLOOK_TEXT, OUTLOOK_WEB),
    Shape("outlook web html only", "", OUTLOOK_WEB),
    outlook("outlook desktop en", "-----Original Message-----", "From:", "Sent:", "To:", "Subject:",
            html=OUTLOOK_DESKTOP),
    outlook("outlook desktop de", "-----Ursprüngliche Nachricht-----", "Von:", "Gesendet:", "An:",
            "Betreff:"),
    outlook("outlook desktop fr", "-----Message d'origine-----", "De :", "Envoyé :", "À :", "Objet :"),
    outlook("outlook 365 de", "", "Von:", "Gesendet:", "An:", "Betreff:", html=OUTLOOK_DESKTOP),
    outlook("outlook 365 fr", "", "De :", "Envoyé :", "À :", "Objet :"),
    outlook("outlook 365 es", "", "De:", "Enviado el:", "Para:", "Asunto:"),
    outlook("outlook 365 nl", "", "Van:", "Verzonden:", "Aan:", "Onderwerp:"),
    outlook("outlook 365 zh", "", "寄件者:", "寄件日期:", "收件者:", "主旨:"),
    outlook("outlook 365 cn", "", "发件人:", "发送时间:", "收件人:", "主题:"),
    outlook("outlook 365 ja", "", "差出人:", "送信日時:", "宛先:", "件名:"),
    outlook("outlook 365 ru", "", "От:", "Отправлено:", "Кому:", "Тема:"),
    outlook("outlook 365 it", "", "Da:", "Inviato:", "A:", "Oggetto:"),
    outlook("outlook bold labels", "", "*From:*", "*Sent:*", "*To:*", "*Subject:*"),
    outlook("windows mail", "Sent from Mail for Windows\n", "From:", "Sent:", "To:", "Subject:"),
    Shape("outlook desktop html only", "", OUTLOOK_DESKTOP),
    Shape("outlook ios", "{a}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n" +
          OUTLOOK_TEXT.replace("{a}\n\n", ""),
          '<div dir="ltr">{A}</div><div id="ms-outlook-mobile-signature">Get Outlook for iOS</div>'
          '<hr><div id="divRplyFwdMsg"><b>From:</b> x</div>{O}'),
    Shape("new outlook for mac", "", '<div>{D}</div><div id="mail-editor-reference-message-container">'
          "<div><b>From: </b>x</div>{O}</div>"),
    Shape("apple mail", "{a}\n\n> On 22. Nov 2026, at 10:00, Estafette <a@b.example> wrote:\n> \n{q}\n",
          '<html><body style="overflow-wrap: break-word;">{A}<br id="lineBreakAtBeginningOfMessage">'
          '<div><br><blockquote type="cite"><div>On 22. Nov 2026 wrote:</div>{O}</blockquote></div>'
          "</body></html>"),
    Shape("iphone", "{a}\n\nSent from my iPhone\n\n> On 22. Nov 2026, at 10:00, Estafette wrote:\n> \n"
          "{q}\n", '<html><body dir="auto">{D}<div><br></div><div>Sent from my iPhone</div><div><br>'
          '<blockquote type="cite">{O}</blockquote></div></body></html>'),
    Shape("iphone de below signature", "Von meinem iPhone gesendet\n\n{a}\n\n> Am 22.11.2026\n{q}\n"),
    Shape("iphone no-break spaces", "{a}\u00a0\n\u00a0\nEnvoyé de mon iPhone\n\n{q}\n"),
    Shape("thunderbird above", "{a}\n\nAm 22.11.26 um 10:00 schrieb Estafette:\n{q}\n"),
    Shape("thunderbird below", "Am 22.11.26 um 10:00 schrieb Estafette:\n{q}\n\n{a}\n"),
    Shape("thunderbird close below", "On 11/22/26 10:00, Estafette wrote:\n{q}\n{a}\n"),
    Shape("thunderbird html", "", '<html><body><div class="moz-cite-prefix">On 11/22/26 wrote:<br></div>'
          '<blockquote type="cite" cite="mid:x@y">{O}</blockquote><p>{A}</p></body></html>'),
    Shape("thunderbird with signature", "{a}\n\nOn 11/22/26 10:00, Estafette wrote:\n{q}\n-- \nAnna\n"),
    Shape("roundcube below", "On 2026-11-22 10:00, Estafette wrote:\n{q}\n\n{a}\n"),
    Shape("roundcube html", "", '<p>{A}</p><p id="reply-intro">On 2026-11-22 10:00, x wrote:</p>'
          '<blockquote type="cite" style="padding: 0 0.4em">{O}</blockquote>'),
    Shape("mutt below", "On Sun, Nov 22, 2026 at 10:00:00AM +0100, Estafette wrote:\n{q}\n\n{a}\n\n-- \nA"),
    Shape("mutt between", "On Sun, Nov 22, 2026, Estafette wrote:\n> It's your turn.\n{a}\n{q}"
                          "\n"),
    Shape("claws", "On Sun, 22 Nov 2026 10:00:00 +0000\nEstafette <a@b.example> wrote:\n\n{q}\n\n{a}\n"),
    Shape("kmail", "Am Sonntag, 22. November 2026, 10:00:00 CET schrieb Estafette:\n{q}\n\n{a}\n\n\n"),
    Shape("kmail french", "Le dimanche 22 novembre 2026 à 10:00 CET, Estafette a écrit :\n{q}\n{a}\n"),
    Shape("evolution", "{a}\n\n-----Original Message-----\nFrom: Estafette\nTo: anna\n\n{o}\n"),
    Shape("evolution below", "On Sun, 2026-11-22 at 10:00 +0000, Estafette wrote:\n{q}\n\n{a}\n"),
    Shape("sylpheed", "On Sun, 22 Nov 2026\nEstafette wrote:\n\n{q}\n\n\n{a}\n"),
    Shape("alpine", "{a}\n\nOn Sun, 22 Nov 2026, Estafette wrote:\n\n{q}\n"),
    Shape("alpine below", "On Sun, 22 Nov 2026, Estafette wrote:\n\n{q}\n\n{a}\n"),
    Shape("gnus", "Estafette <a@b.example> writes:\n\n{q}\n\n{a}\n"),
    Shape("supercite", ">>>>> \"E\" == Estafette writes:\n\n{q}\n\n{a}\n", mark="E> "),
    Shape("the bat", "Hello Estafette,\n\nSunday, November 22, 2026, 10:00:00 AM, you wrote:\n\n{q}\n\n"
          "{a}\n\n-- \nBest regards,\n Anna", mark="AB> "),
    Shape("elm", "{q}\n\n{a}\n", mark=">"),
    Shape("qq", "{a}&nbsp;\n\n\n\n\n------------------&nbsp;Original&nbsp;------------------\n"
          "From: &nbsp;\"Estafette\"\nDate: &nbsp;Sun, Nov 22\nTo: &nbsp;\"anna\"\n\n{o}\n",
          "<div>{A}</div><div><br></div><div style=\"font-size: 12px\">------------------&nbsp;Original"
          "&nbsp;------------------</div><div><b>From:</b>&nbsp;x</div><div><b>Date:</b>&nbsp;x</div>"
          "<div>{O}</div>"),
    Shape("qq chinese", "{a}\n\n\n\n------------------ 原始邮件 ------------------\n发件人: \"Estafette\";\n"
          "发送时间: 2026年11月22日\n\n{o}\n", charset="gb18030"),
    Shape("netease", "{a}\n\n\n\n\n\n\n\n\n\nAt 2026-11-22 10:00:00, \"Estafette\" <a@b.example> wrote:\n"
          "{q}\n", '<div style="line-height:1.7">{D}</div><br><blockquote id="isReplyContent">{O}'
          "</blockquote>"),
    Shape("netease chinese", "{a}\n\n\n在 2026-11-22 10:00:00，\"Estafette\" <a@b.example> 写道：\n\n{q}\n",
          charset="gbk"),
    Shape("yahoo", "{a}\n\n    On Sunday, November 22, 2026 at 10:00:00 AM GMT+1, Estafette wrote:  \n \n"
          " {q}\n", '<html><body><div class="ydp12abcdefyahoo-style-wrap"><div dir="ltr">{A}</div></div>'
          '<div id="ydp34cd56yahoo_quoted_1" class="ydp34cd56yahoo_quoted"><div>On Sunday wrote:</div>'
          "<div>{O}</div></div></body></html>"),
    Shape("yahoo mobile", "{a}\n\nSent from Yahoo Mail on Android \n \n  On Sun, Nov 22, wrote:   {q}"),
    Shape("proton", "{a}\n\nSent with Proton Mail secure email.\n\nOn Sunday, November 22nd, 2026 at 10:00 "
          "AM, Estafette <a@b.example> wrote:\n\n{q}\n", '<div>{A}</div><div class="protonmail_quote">On '
          'Sunday wrote:<br><blockquote class="protonmail_quote" type="cite">{O}</blockquote></div>'),
    Shape("proton old", "{a}\n\n------- Original Message -------\nOn Sunday, November 22nd, 2026 at 10:00, "
          "Estafette <a@b.example> wrote:\n\n\n{q}\n"),
    Shape("tuta", "{a}\n\n-- \nSecured with Tuta Mail\n\n22. Nov. 2026, 10:00 von a@b.example:\n\n{q}\n",
          '<div>{A}</div><div>--<br></div><div>22. Nov.</div><blockquote class="tutanota_quote">{O}'
          "</blockquote>"),
    Shape("gmx", "", '<html><body><div style="font-family: Verdana;"><div>{D}<div>&nbsp;</div>'
          '<div name="quote" style="margin:10px 5px"><div><b>Gesendet:</b>&nbsp;Sonntag<br/><b>Von:</b>'
          '&nbsp;x</div><div name="quoted-content">{O}</div></div></div></div></body></html>'),
    Shape("gmx text", "{a}\n\n \n \n\nGesendet: Sonntag, 22. November 2026 um 10:00 Uhr\nVon: \"Estafette\"\n"
          "An: anna@example.org\nBetreff: Match 7\n\n{o}\n"),
    Shape("t-online", "{a}\n\n-----Original-Nachricht-----\nBetreff: Match 7\nDatum: 2026-11-22\n"
          "Von: \"Estafette\"\n\n{o}\n"),
    Shape("zoho", "{a}\n\n\n\n\n\n---- On Sun, 22 Nov 2026 10:00:00 +0100 Estafette wrote ---\n\n{q}\n",
          '<div>{A}<br></div><div class="zmail_extra"><div>---- On Sun wrote ---</div><blockquote>{O}'
          "</blockquote></div>"),
    Shape("fastmail", "{a}\n\nOn Sun, 22 Nov 2026, at 10:00 AM, Estafette wrote:\n{q}\n",
          '<!DOCTYPE html><html><head><title></title></head><body><div>{A}</div><div><br></div><div>On '
          'Sun wrote:</div><blockquote type="cite" id="qt">{O}</blockquote></body></html>'),
    Shape("zimbra", "{a}\n\n\nFrom: \"Estafette\" <a@b.example>\nTo: \"anna\" <anna@example.org>\nSent: Sunday\n"
          "Subject: Match 7\n\n{o}\n", '<html><body><div style="font-family: arial">{D}<div><br></div>'
          '<hr id="zwchr" data-marker="__DIVIDER__"><div><b>From: </b>"x"<br><b>To: </b>"anna"<br></div>'
          "<div>{O}</div></div></body></html>"),
    Shape("k-9", "{a}\n\nAm 22. November 2026 10:00:00 MEZ schrieb Estafette <a@b.example>:\n{q}\n\n-- \n"
          "Diese Nachricht wurde von meinem Android-Gerät gesendet."),
    Shape("k-9 signature above", "{a}\n-- \nDiese Nachricht wurde von meinem Android-Gerät gesendet.\n{q}\n"),
    Shape("fairemail", "{a}\n\n\n22 Nov 2026 10:00:00 Estafette <a@b.example>:\n\n{q}\n"),
    Shape("samsung", "{a}\n\n\nSent from my Galaxy\n\n-------- Original message --------\nFrom: Estafette\n"
          "Date: 22/11/2026  10:00  (GMT+01:00)\nTo: anna\nSubject: Match 7\n\n{o}\n",
          '<html><body><div dir="auto">{A}</div><div><br></div><div id="composer_signature">Sent from my '
          "Galaxy</div><div>-------- Original message --------</div><div>From: x</div><div>Date: x</div>"
          "<div>{O}</div></body></html>"),
    Shape("samsung german", "{a}\n\nVon meinem/meiner Galaxy gesendet\n\n-------- Ursprüngliche Nachricht "
          "--------\nVon: Estafette\nDatum: 22.11.26\n\n{o}\n"),
    Shape("spark", "{a}\n\nSent from Spark\nOn Nov 22, 2026 at 10:00 +0100, Estafette, wrote:\n{q}\n",
          '<html><body><div name="messageBodySection"><div dir="auto">{A}</div></div>'
          '<div name="messageSignatureSection"><br/>Sent from Spark</div><div name="messageReplySection">'
          "On Nov 22 wrote:<br/><blockquote>{O}</blockquote></div></body></html>"),
    Shape("notes", "{a}\n\n\n\nFrom:\tEstafette\nTo:\tanna\nDate:\t22.11.2026 10:00\nSubject:\tMatch 7\n\n\n{o}\n"),
    Shape("yandex", "{a}\n\n22.11.2026, 10:00, \"Estafette\" <a@b.example>:\n\n{q}\n",
          "<div>{A}</div><div>\u00a0</div><div>22.11.2026, 10:00:</div><blockquote><div>{O}</div>"
          "</blockquote>"),
    Shape("mail.ru", "\n{a}\n\n\n--\nAnna\n\n \n>Воскресенье, 22 ноября 2026\n{q}\n", mark=">",
          charset="koi8-r"),
    Shape("naver", "{a}\n\n-----Original Message-----\nFrom: \"Estafette\"\nTo: anna\n\n{o}\n",
          charset="euc-kr"),
    Shape("horde", "{a}\n\nZitat von Estafette <a@b.example>:\n\n{q}\n"),
    Shape("horde below", "Quoting Estafette <a@b.example>:\n\n{q}\n\n{a}\n"),
    Shape("squirrelmail", "{a}\n\nOn Sun, November 22, 2026 10:00 am, Estafette wrote:\n{q}\n"),
    Shape("em client", "{a}\n\n------ Original Message ------\nFrom: \"Estafette\"\nTo: \"anna\"\n\n{o}\n"),
    Shape("postbox", "{a}\n\n> Estafette <mailto:a@b.example>\n> 22. November 2026 at 10:00\n{q}\n"),
    Shape("blackberry", "{a}\n\nSent from my BlackBerry\n\n  Original Message  \nFrom: Estafette\nSent: Sunday\n"
          "To: anna\n\n{o}\n"),
    Shape("hey", "", '<div class="trix-content">{D}<br></div><div>On November 22, 2026, x wrote:</div>'
          "<blockquote>{O}</blockquote>"),
    Shape("pgp signed", "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{a}\n\n{q}\n-----BEGIN PGP "
          "SIGNATURE-----\n\niQEzBAEBCgAdFiEE\n-----END PGP SIGNATURE-----\n"),
    Shape("disclaimer", "{a}\n\n" + EN + "\n{q}\n\n________________________________\nThis message is "
          "confidential.\n"),
    Shape("antivirus", "{a}\n\n{q}\n\n\n-- \nDiese E-Mail wurde von Avast-Antivirussoftware geprüft.\n"),
    Shape("greeting", "Hello bert's server,\n\n{a}\n\nBest wishes\nAnna\n\n" + EN + "\n{q}\n"),
    Shape("greeting german", "Hallo,\n\n{a}\n\nViele Grüße\nAnna\n\n" + DE + "\n{q}\n"),
    Shape("greeting chinese", "你好，\n\n{a}\n\n謝謝\n" + ZH + "\n{q}\n", charset="big5"),
    Shape("quoted-printable", "{a}\n\n" + EN + "\n{q}\n", encoding="quoted-printable"),
    Shape("base64", "{a}\n\n" + EN + "\n{q}\n", GMAIL, encoding="base64"),
    Shape("latin-1", "{a}\n\nLe 22 nov., Estafette a écrit :\n{q}\n", charset="iso-8859-1"),
    Shape("japanese", "{a}\n\n2026年11月22日 Estafette:\n{q}\n", charset="iso-2022-jp"),
    Shape("html preformatted", "", "<pre>{a}\n\n{q}</pre>"),
    Shape("html spans", "", '<p><span style="font-size:12pt"><b>{A}</b></span></p><blockquote>{O}'
          "</blockquote>"),
    Shape("html table layout", "", '<table width="100%"><tr><td><font face="Arial">{A}</font></td></tr>'
          "<tr><td><blockquote>{O}</blockquote></td></tr></table>"),
]  # fmt: skip
