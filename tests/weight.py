"""What a browser fetches to show a page: its styles, scripts and pictures, each URL once."""

import re
from collections.abc import Callable
from urllib.parse import urljoin

NAMED = re.compile(r'<(?:link|script|use|img)[^>]* (?:href|src)="(/static/[^"#]+)')
IMPORTED = re.compile(r'(?:from|import) ?"(\.[^"]+)"')


def parts(get: Callable[[str], bytes], page: str) -> list[str]:
    """The page's address and those of all that it names; `get` gives what lies at an address."""
    texts = [page]
    for address in texts:
        text = get(address).decode()
        named = NAMED.findall(text) if address == page else []
        if address.endswith(".js"):
            named = [urljoin(address, name) for name in IMPORTED.findall(text)]
        texts += [name for name in dict.fromkeys(named) if name not in texts]
    return texts
