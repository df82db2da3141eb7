"""A DNS server for tests, on a free port: real queries by UDP and TCP."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from unittest.mock import patch

from authheaders import dmarc_lookup
from dnslib import MX, QTYPE, RCODE, RR, TXT, A
from dnslib.server import BaseResolver, DNSHandler, DNSLogger, DNSRecord, DNSServer

from games.mail.inbound import dns_check
from tests.servers import free_port, serve

MAX_TEXT = 255  # characters in a part of a TXT record
# The library reads its list of public suffixes at each call, which takes long.
organization = cache(dmarc_lookup.get_org_domain)


class Zone(BaseResolver):  # type: ignore[misc]
    """`txt_records`, `mx_hosts` and `addresses` by name; names in `fails` get SERVFAIL. `queried`
    lists the names of all queries."""

    def __init__(self) -> None:
        self.txt_records: dict[str, list[str]] = {}
        self.mx_hosts: dict[str, list[str]] = {}
        self.addresses: dict[str, str] = {}
        self.fails: set[str] = set()
        self.queried: list[str] = []
        self.port = free_port()

    def resolve(self, request: DNSRecord, handler: DNSHandler) -> DNSRecord:
        name, kind = str(request.q.qname).rstrip(".").lower(), QTYPE[request.q.qtype]
        self.queried.append(name)
        reply = request.reply()
        if name in self.fails:
            reply.header.rcode = RCODE.SERVFAIL
            return reply
        if name not in {*self.txt_records, *self.mx_hosts, *self.addresses}:
            reply.header.rcode = RCODE.NXDOMAIN
        for text in self.txt_records.get(name, []) if kind == "TXT" else []:
            parts = [text[at : at + MAX_TEXT] for at in range(0, len(text), MAX_TEXT)]
            reply.add_answer(RR(request.q.qname, QTYPE.TXT, rdata=TXT(parts)))
        for host in self.mx_hosts.get(name, []) if kind == "MX" else []:
            reply.add_answer(RR(request.q.qname, QTYPE.MX, rdata=MX(host, 10)))
        if kind == "A" and name in self.addresses:
            reply.add_answer(RR(request.q.qname, QTYPE.A, rdata=A(self.addresses[name])))
        return reply


@contextmanager
def dns_server() -> Iterator[Zone]:
    """Serve a zone at 127.0.0.1 and `zone.port`."""
    zone = Zone()
    quiet = DNSLogger("-request,-reply,-truncated,-error", prefix=False)
    servers = [
        DNSServer(zone, address="127.0.0.1", port=zone.port, tcp=tcp, logger=quiet)
        for tcp in (False, True)
    ]
    for server in servers:
        serve(server.server)
    try:
        with (
            patch.object(dmarc_lookup, "get_org_domain", organization),
            patch.object(dns_check, "get_org_domain", organization),
        ):
            yield zone
    finally:
        for server in servers:
            server.server.shutdown()
            server.server.server_close()
