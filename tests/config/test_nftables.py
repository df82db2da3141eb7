"""The firewall of deploy/nftables.conf: one address cannot hold all connections of a proxy."""

import os
import shutil
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.hosts import Host, Network, ip
from tests.preloaded import ROOT
from tests.servers import wait_for

pytestmark = [pytest.mark.servers, pytest.mark.soak]

LIMIT = 100  # connections of an address
LISTEN = f"import socket, time; s = socket.create_server(('', 443), backlog={3 * LIMIT}); "
LISTEN += "open(__import__('sys').argv[1], 'w').close(); time.sleep(600)"


@pytest.fixture
def network(tmp_path: Path) -> Iterator[Network]:
    """A host that listens at port 443, behind the firewall."""
    if shutil.which("nft") is None:
        pytest.skip("There is no nft on this machine; Debian's package is nftables.")
    with Network(hosts=1) as network:
        (host,) = network.hosts
        _run(host, tmp_path, "nft", "-f", str(ROOT / "deploy" / "nftables.conf"))
        ready = tmp_path / "ready"
        _run(host, tmp_path, sys.executable, "-c", LISTEN, str(ready))
        wait_for(ready.exists, "It should listen.")
        yield network


def _run(host: Host, folder: Path, *command: str) -> None:
    host.start(command, {"PATH": os.environ["PATH"]}, folder / "log")


def test_a_client_address_has_a_limited_number_of_connections(network: Network) -> None:
    (host,) = network.hosts
    place, other = (host.address, 443), f"{network.here.rpartition('.')[0]}.200"
    ip("addr", "add", f"{other}/24", "dev", network.switch)
    with ExitStack() as held:

        def connect(address: str) -> socket.socket:
            line = socket.create_connection(place, timeout=5, source_address=(address, 0))
            held.callback(line.close)
            return line

        lines = [connect(network.here) for _ in range(LIMIT)]
        with pytest.raises(OSError, match=r"refused|reset"):
            connect(network.here)
        connect(other)
        lines.pop().close()
        # Once the closed one is forgotten.
        wait_for(lambda: connect(network.here), "There should be room again.", 180)
