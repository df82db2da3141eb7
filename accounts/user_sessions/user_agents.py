"""User agents in words: "Firefox on Linux", from a browser's header User-Agent."""

import re

from django.utils.translation import gettext as _

# The first match counts, since most browsers also claim to be others.
BROWSERS = (
    (r"Edg(?:e|A|iOS)?/", "Edge"),
    (r"OPR/|Opera", "Opera"),
    (r"SamsungBrowser/", "Samsung Internet"),
    (r"Vivaldi/", "Vivaldi"),
    (r"Firefox/|FxiOS/", "Firefox"),
    (r"CriOS/|Chrom(?:e|ium)/", "Chrome"),
    (r"Safari/", "Safari"),
    (r"\bLynx/", "Lynx"),
    (r"\bw3m/", "w3m"),
    (r"E?Links\b", "Links"),
    (r"\bcurl/", "curl"),
)
SYSTEMS = (
    (r"Android", "Android"),
    (r"iPhone|iPod", "iPhone"),
    (r"iPad", "iPad"),
    (r"CrOS", "ChromeOS"),
    (r"Windows", "Windows"),
    (r"Macintosh|Mac OS X", "macOS"),
    (r"FreeBSD|OpenBSD|NetBSD", "BSD"),
    (r"Linux|X11", "Linux"),
)


def in_words(agent: str) -> str:
    """Browser and system as far as known, else the first word of the header."""
    browser, system = _first(BROWSERS, agent), _first(SYSTEMS, agent)
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or agent.split("/")[0].strip()[:40] or _("Unknown browser")


def _first(known: tuple[tuple[str, str], ...], agent: str) -> str:
    return next((name for pattern, name in known if re.search(pattern, agent)), "")
