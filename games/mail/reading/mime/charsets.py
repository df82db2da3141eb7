"""Decodes text with an allowlist of charsets; Python would accept `unicode_escape` and others."""

import re

DEFAULT_CODEC = "utf-8"
# Charset name without separators: Python codec.
CODECS = {
    "utf8": "utf-8", "utf16": "utf-16", "utf16le": "utf-16-le", "utf16be": "utf-16-be",
    "usascii": "utf-8", "ascii": "utf-8", "ansix341968": "utf-8", "unknown8bit": "utf-8",
    # Text labelled ISO 8859-1 often contains characters of Windows-1252.
    "iso88591": "cp1252", "latin1": "cp1252", "iso88592": "iso8859-2", "iso88593": "iso8859-3",
    "iso88594": "iso8859-4", "iso88595": "iso8859-5", "iso88596": "iso8859-6",
    "iso88597": "iso8859-7", "iso88598": "iso8859-8", "iso88598i": "iso8859-8",
    "iso88599": "iso8859-9", "iso885910": "iso8859-10", "iso885911": "cp874",
    "iso885913": "iso8859-13", "iso885914": "iso8859-14", "iso885915": "iso8859-15",
    "iso885916": "iso8859-16", "windows874": "cp874", "tis620": "cp874",
    **{f"windows{page}": f"cp{page}" for page in range(1250, 1259)},
    **{f"cp{page}": f"cp{page}" for page in range(1250, 1259)},
    "cp437": "cp437", "cp850": "cp850", "ibm850": "cp850", "macintosh": "mac-roman",
    "macroman": "mac-roman", "koi8r": "koi8-r", "koi8u": "koi8-u", "koi8ru": "koi8-u",
    "gb2312": "gb18030", "gbk": "gb18030", "gb18030": "gb18030", "cp936": "gb18030",
    "hzgb2312": "hz", "big5": "big5hkscs", "big5hkscs": "big5hkscs", "cp950": "cp950",
    "iso2022jp": "iso2022_jp_2", "eucjp": "euc_jp", "shiftjis": "cp932", "sjis": "cp932",
    "windows31j": "cp932", "cp932": "cp932", "windows932": "cp932", "windows936": "gb18030",
    "windows949": "cp949", "ms949": "cp949", "windows950": "big5hkscs", "ms950": "big5hkscs",
    "gb231280": "gb18030", "hz": "hz", "utf8mb4": "utf-8", "utf7": "utf-7",
    "unicode11utf7": "utf-7", "iso2022jpms": "iso2022_jp_2", "cp866": "cp866", "ibm866": "cp866",
    "euckr": "cp949", "ksc56011987": "cp949",
    "cp949": "cp949", "iso2022kr": "iso2022_kr",
}  # fmt: skip
SEPARATORS = re.compile(r"[^a-z0-9]")


def decoded(content: bytes, charset: str) -> str:
    """Decode bytes; undecodable ones become the replacement character."""
    name = SEPARATORS.sub("", charset[:40].lower())
    # Unregistered names begin with x: "x-gbk", "x-x-big5".
    codec = CODECS.get(name) or CODECS.get(name.lstrip("x"), DEFAULT_CODEC)
    return content.decode(codec, "replace")
