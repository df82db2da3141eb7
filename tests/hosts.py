"""Hosts for tests: network namespaces with their own addresses, which can be disconnected."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.preloaded import ROOT
from tests.servers import missing


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Host:
    """A network namespace; what it runs sees no other network than the one cable."""

    def __init__(self, name: str, address: str, cable: str) -> None:
        self.name, self.address = name, address
        self._cable = cable  # its end at the switch
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self, command: Sequence[str], environment: dict[str, str], log: Path) -> None:
        with log.open("ab") as log_file:
            options: dict[str, Any] = {"cwd": ROOT, "env": environment}
            inside = ["ip", "netns", "exec", self.name, *command]
            process = subprocess.Popen(inside, stdout=log_file, stderr=log_file, **options)
        self._running.append(process)

    def pull_the_cable(self) -> None:
        """All packets to it and from it are lost silently."""
        ip("link", "set", self._cable, "down")

    def put_it_back(self) -> None:
        ip("link", "set", self._cable, "up")

    def stop(self) -> None:
        for process in self._running:
            process.kill()
        for process in self._running:
            process.wait()


class Network:
    """A switch with hosts; this machine is one of them, at `here`. A context: gone after."""

    def __init__(self, hosts: int) -> None:
        number = os.getpid()
        self.switch = f"es{number % 100_000}"
        subnet = f"10.231.{number % 250}"
        self.here = f"{subnet}.1"
        self._planned = [f"{subnet}.{place}" for place in range(2, hosts + 2)]
        self.hosts: list[Host] = []

    def __enter__(self) -> "Network":
        if shutil.which("ip") is None:
            missing("There is no ip on this machine; Debian's package is iproute2.")
        try:
            ip("link", "add", self.switch, "type", "bridge")
        except subprocess.CalledProcessError:
            missing("This machine lets nobody make network namespaces; root may, on most.")
        try:
            ip("addr", "add", f"{self.here}/24", "dev", self.switch)
            ip("link", "set", self.switch, "up")
            for place, address in enumerate(self._planned):
                self.hosts.append(self._add(f"{self.switch}h{place}", address))
        except BaseException:
            self._remove()
            raise
        return self

    def _add(self, name: str, address: str) -> Host:
        cable, plug = f"{name}c", f"{name}p"
        ip("netns", "add", name)
        host = Host(name, address, cable)
        ip("link", "add", cable, "type", "veth", "peer", "name", plug, "netns", name)
        ip("link", "set", cable, "master", self.switch, "up")
        ip("-n", name, "addr", "add", f"{address}/24", "dev", plug)
        for device in ("lo", plug):
            ip("-n", name, "link", "set", device, "up")
        return host

    def __exit__(self, *_: object) -> None:
        for host in self.hosts:
            host.stop()
        self._remove()

    def _remove(self) -> None:
        for place in range(len(self._planned)):
            subprocess.run(["ip", "netns", "del", f"{self.switch}h{place}"], capture_output=True)
        subprocess.run(["ip", "link", "del", self.switch], capture_output=True)
