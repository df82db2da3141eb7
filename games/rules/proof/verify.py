"""Checks proofs of Estafette matches, offline, with Python's standard library alone.

    python verify.py [--key HEX]... BUNDLE... [RECEIPT-OR-E-MAIL...]

A file that begins with "estafette/proof/1" is a bundle. Any other is a witness: a receipt, a saved
e-mail, or pasted text. With --key, only the keys that are named count.
Exit status: 0 everything holds, 1 something does not hold, 2 something cannot be read.
"""

import argparse
import email
import hashlib
import hmac
import json
import re
import sys
from datetime import datetime, timedelta
from pathlib import Path

SEATS, GAP, MAX_BYTES = "SN", "-", 40_000_000  # letters of seats 0 and 1; an empty square's rank
HEX, NUMBER, SQUARE = "[0-9a-f]{64}", "(?:0|[1-9][0-9]{0,17})", "[a-w][1-9][0-9]?"
RANK, SIGN, WHY = "(?:[0-9A-Z]{1,2}'?|-)", r"(?:\+d|-d|[-+=#])", "[!-~][ -~]*"
AT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}\+00:00"
TEXT, SHOTS = r'"([ !#-\[\]-~]{0,400})"', f"(?:~{SQUARE}!?(?: ~{SQUARE}!?)*)"
BATTLE, RESULT = rf"x({SQUARE})\[({RANK})v({RANK})\]({SIGN})", f"(?:[SNO]|draw) {WHY}"
MOVE = rf"({SQUARE})(?:-({SQUARE}))?(?:{BATTLE})?(?: ({SHOTS}))?"
OPTION = r'\["[a-z0-9_]{1,40}",(?:-?[0-9]{1,9}|true|false|"[!#-\[\]-~]{0,40}")\]'
START = rf'\["estafette/match/2",{NUMBER},{TEXT},\[(?:{OPTION}(?:,{OPTION})*)?\],{TEXT},{TEXT},'
START += rf'"{HEX}",(?:null|\["{HEX}","{HEX}","{HEX}"\]),"{AT}"\]'
PLY = rf'\[({NUMBER}),(null|0|1),"([a-z]+)",{TEXT},"({AT})",{TEXT}\]'
EXTRA = {"setup": rf"{HEX}(?: {RESULT})?|{SQUARE},{SQUARE}", "move": f"(?:{RESULT})?"}
EXTRA |= {"time": RESULT, "resign": f"[SNO] {WHY}", "draw": f"draw {WHY}", "cancel": f"- {WHY}"}
EXTRA |= {"void": "- void", "reopen": "", "look": HEX}  # by kind, the last field of a ply
SAID = {"setup": f"(?:{SHOTS})?", "move": "[ -~]+"}  # by kind, the text of a ply; others have none
HEAD, SIGNATURE = rf"(estafette/head/1 ({NUMBER}) ({NUMBER}) ({HEX}))", "([0-9a-f]{128})"
SEAL = rf"([SN]) ({HEX})((?: {RANK})+)"
FORMS = {"estafette/proof/1": f"({NUMBER})", "key": f"({HEX})", "sign": SIGNATURE, "head": HEAD}
FORMS |= {"rule": r'(\{"format":"estafette/rules/1",.*\})', "ply": r"(\[.*\])", "seal": SEAL}
FORMS |= {"army": f"([SN])((?: {HEX})+)", "open": f"([SN]) ({SQUARE}) ({RANK}) ({HEX})"}
FORMS |= {"seed": f"({HEX})"}  # by the first word of a line of a bundle, the rest
LINES = "estafette/proof/1 (key )+rule (ply )+head sign (army S )?(army N )?"
LINES += "((open S )*(open N )*|seal S seal N (seed )?)"
FIELDS = ["format preset", "zone pieces army returns lower convert against battle", "lot aside"]
TWO = "This service has signed two histories: one was changed, or a backup was restored."
WITNESS = rf"(?:estafette/receipt/1 ({NUMBER})\n)?head {HEAD}\nsign {SIGNATURE}\n"
WITNESS += rf"(?:seal {SEAL}\n)?(?:(words(?: .*)?)\n)?(end\n)?"


class Fault(Exception):
    """What is wrong with a file: the exit status, and a sentence."""


def need(condition, sentence, status=1):
    if not condition:
        raise Fault(status, sentence)


def form(condition, sentence):
    need(condition, sentence, 2)


# --- hashes, and signatures by Ed25519 (RFC 8032), strict


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def keyed(key, text):
    return hmac.digest(bytes.fromhex(key), text.encode(), "sha256").hex()


P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, ROOT_OF_MINUS_1 = -121665 * pow(121666, -1, P) % P, pow(2, (P - 1) // 4, P)


def point(data):
    """The point that 32 bytes encode, as (x, y, 1, x * y); None if there is none."""
    number = int.from_bytes(data, "little")
    y, odd = number & ((1 << 255) - 1), number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x * ROOT_OF_MINUS_1 % P if (x * x - square) % P else x
    if y >= P or (x * x - square) % P or (x == 0 and odd):
        return None
    x = P - x if x & 1 != odd else x
    return x, y, 1, x * y % P


def add(one, other):
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, other
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def sum_of(m, one, n, other):
    """m times a point and n times another."""
    total = (0, 1, 1, 0)
    for bit in reversed(range(max(m.bit_length(), n.bit_length()))):
        total = add(total, total)
        total = add(total, one) if m >> bit & 1 else total
        total = add(total, other) if n >> bit & 1 else total
    return total


def is_signed(key, text, signature):
    public, signed = bytes.fromhex(key), bytes.fromhex(signature)
    a, r, s = point(public), point(signed[:32]), int.from_bytes(signed[32:], "little")
    if not a or not r or s >= ORDER or sum_of(8, a, 0, a)[0] == 0:  # a small key signs anything
        return False
    hashed = hashlib.sha512(signed[:32] + public + text.encode()).digest()
    k, base = int.from_bytes(hashed, "little") % ORDER, point(b"\x58" + b"\x66" * 31)
    x, y, z, _ = sum_of(s, base, k, (P - a[0], a[1], 1, P - a[3]))
    return (x - r[0] * z) % P == 0 == (y - r[1] * z) % P


# --- a bundle: its lines


def read_lines(text):
    """The lines of a bundle by their first words, each as the parts of its form."""
    parts_by_word, order = {word: [] for word in FORMS}, ""
    form(text.endswith("\nend\n"), "It has no end.")
    for number, line in enumerate(text.split("\n")[:-2], 1):
        word, _, rest = line.partition(" ")
        parts = word in FORMS and re.fullmatch(FORMS[word], rest)
        form(parts, f"Line {number} is not in its form: {line[:60]}")
        parts_by_word[word].append(parts.groups())
        order += f"{line[:6]} " if word in ("army", "open", "seal") else f"{word} "
    form(re.fullmatch(LINES, order), "Its lines are not in their order, or some are missing.")
    return parts_by_word


class Ply:
    def __init__(self, line):
        match = re.fullmatch(PLY, line)
        form(match and match[3] in EXTRA, f"This is no ply: {line[:60]}")
        number, seat, kind, self.text, self.at, self.extra = match.groups()
        self.number, self.seat, self.kind = int(number), {"0": 0, "1": 1}.get(seat), kind
        self.where, _ = f"Ply {number}", datetime.fromisoformat(self.at)
        fits = re.fullmatch(SAID.get(kind, ""), self.text) and re.fullmatch(EXTRA[kind], self.extra)
        form(fits, f"{self.where} has an unreadable text, hash or result.")
        # The result and reason of an ending; the volley after the last set-up may end a match.
        self.ending = {"setup": self.extra[65:], "reopen": "", "look": ""}.get(kind, self.extra)


class Bundle:
    def __init__(self, text, named_keys):
        lines, self.witnesses, self.fought = read_lines(text), 0, set()
        ((self.match,),), ((rules,),) = lines["estafette/proof/1"], lines["rule"]
        ((self.statement, *_),), ((self.signature,),) = lines["head"], lines["sign"]
        (start,), *plies = lines["ply"]
        form(re.fullmatch(START, start), "Ply 0 is not in its form.")
        _, match, preset, switches, _, _, rules_hash, self.deal, self.begun = json.loads(start)
        self.rules, _ = json.loads(rules), datetime.fromisoformat(self.begun)
        form(json.dumps(self.rules, separators=(",", ":")) == rules, "The rules are not compact.")
        form(switches == sorted(map(list, dict(switches).items())), "Its options are not sorted.")
        self.plies, self.heads = [Ply(line) for (line,) in plies], [digest(start)]
        for (line,) in plies:
            self.heads.append(digest(f"{self.heads[-1]} {line}"))
        right = (str(match), rules_hash) == (self.match, digest(rules))
        need(right, "Ply 0 is of another match, or has other rules.")
        parts = 1 if preset.startswith("assaut") else 3 if self.deal else 2
        right = " ".join(self.rules) == " ".join(FIELDS[:parts])
        need(right and self.rules["preset"] == preset, f"These are not the rules of {preset}.")
        self.trusted, self.hidden = named_keys or lines["key"][0], "zone" in self.rules
        self.zones = {seat: self.rules["zone"][seat].split() for seat in SEATS if self.hidden}
        self.armies = {seat: leaves.split() for seat, leaves in lines["army"]}
        self.opens, self.seals, self.seed = lines["open"], lines["seal"], lines["seed"]

    def check(self, bundles):
        """Check all that it says, compare it with other bundles, and add it to them."""
        self.check_order()
        statement = f"estafette/head/1 {self.match} {len(self.plies)} {self.heads[-1]}"
        need(self.statement == statement, "The head is not that of the last ply.")
        self.check_signature(self.statement, self.signature)
        need(self.hidden or not (self.armies or self.opens or self.seals), "Nothing is hidden.")
        if self.hidden:
            self.check_armies()
            self.check_ranks()
            self.follow()
        for other in [other for other in bundles if other.match == self.match]:
            self.check_signature(other.statement, other.signature)
            last = min(len(self.heads), len(other.heads)) - 1
            right = self.heads[last] == other.heads[last]
            need(right, f"Up to ply {last} another bundle has another history. {TWO}")
            self.witnesses, other.witnesses = self.witnesses + 1, other.witnesses + 1
        bundles[:] = sorted([*bundles, self], key=lambda bundle: len(bundle.heads))
        return self

    def check_signature(self, text, signature):
        signed = any(is_signed(key, text, signature) for key in self.trusted)
        need(signed, "Not signed by the key. Was it changed? Then name each: --key NEW --key OLD.")

    def check_order(self):
        """Check numbers, times, turns and endings; note the set-ups and the ending."""
        letters, awaited = ("SN", [0, 1]) if self.hidden else ("SO", [1])
        turn, at, self.setups, self.last_setup, self.ending = 0, self.begun, {}, None, None
        for number, ply in enumerate(self.plies, 1):
            kind, ended = ply.kind, self.ending
            need(ply.number == number and ply.at >= at, f"{ply.where} has a wrong number or time.")
            may_undo = ended and ended.kind in ("time", "cancel") and kind in ("reopen", "void")
            need(may_undo if ended else kind != "reopen", f"{ply.where} cannot come here.")
            if kind == "setup":
                right = ply.seat in awaited and (len(awaited) == 1 or not ply.text + ply.ending)
                need(right, f"{ply.where} was not due.")
                awaited.remove(ply.seat)
                self.setups[SEATS[ply.seat]], self.last_setup = ply, None if awaited else ply
                form(self.hidden == (len(ply.extra) >= 64), f"{ply.where} is not in its form.")
            elif kind == "move":
                need(not awaited and ply.seat == turn, f"{ply.where} is out of turn.")
                need(ply.ending or "#" not in ply.text, f"{ply.where} decides, but ends nothing.")
            other = {0: letters[1], 1: letters[0]}.get(ply.seat, "")
            right = ply.ending[:1] in (other if kind == "resign" else letters + "d-")
            need(right, f"{ply.where} cannot end as {ply.ending}.")
            turn, at = turn ^ (kind == "move"), ply.at
            self.ending = None if kind == "reopen" else ply if ply.ending else ended

    def check_armies(self):
        """Check that each army is that of its set-up, and that what must be opened is."""
        need({*self.armies} == {*self.setups}, "There is not one army line for each set-up.")
        self.leaves = {}  # the seals by seat and square
        for seat, leaves in self.armies.items():
            army = digest(f"estafette/army/1 {self.match} {seat} {' '.join(leaves)}")
            right = army == self.setups[seat].extra[:64] and len(leaves) == len(self.zones[seat])
            need(right, f"The army line of {seat} does not fit its set-up.")
            self.leaves |= {(seat, sq): leaf for sq, leaf in zip(self.zones[seat], leaves)}
        decided = bool(self.last_setup and self.ending and self.ending.ending[0] != "-")
        right = bool(self.seals) == decided or (decided and self.ending.kind == "time")
        need(right, "Armies are opened too early, or withheld.")
        need(bool(self.seed) == bool(self.deal and self.seals), "The seed opens with both armies.")

    def unsealed(self, seat, secret, ranks):
        """What a seal line opens: seat, square, rank and nonce for each square of the zone."""
        name = f"estafette/nonce/1 {self.match} {seat}"
        zone, ranks = self.zones[seat], ranks.split()
        form(len(zone) == len(ranks), f"The seal line of {seat} has too few ranks, or too many.")
        return [(seat, sq, rank, keyed(secret, f"{name} {sq}")) for sq, rank in zip(zone, ranks)]

    def opened(self, seat, square, rank, nonce):
        leaf = digest(f"estafette/piece/1 {self.match} {seat} {square} {rank} {nonce}")
        need(leaf == self.leaves.get((seat, square)), f"{seat} {square} was not sealed as {rank}.")
        return (seat, square), rank

    def check_ranks(self):
        """Check what is opened, and that no army has too many of a rank; note the ranks."""
        rows = [row for seal in self.seals for row in self.unsealed(*seal)] or self.opens
        self.ranks = dict(self.opened(*row) for row in rows)
        right = [row[:2] for row in rows] == [at for at in self.leaves if at in self.ranks]
        form(right, "The open lines are not in the order of the squares.")
        for seat, zone in self.zones.items():
            ranks = [self.ranks[seat, sq] for sq in zone if (seat, sq) in self.ranks]
            ranks = [min(rank, rank[::-1]) for rank in ranks] if self.deal else ranks
            gaps = (len(zone) - self.rules["pieces"]) * bool(self.last_setup)
            need(ranks.count(GAP) == gaps, f"{seat} does not open its {gaps} empty squares.")
            for rank in {*ranks} - {GAP}:
                right = ranks.count(rank) <= self.rules["army"].get(rank, 0)
                need(right, f"{seat} has too many {rank}.")
            if self.seed:
                ((seed,),), (commitment, *words) = self.seed, self.deal
                need(digest(f"estafette/seed/1 {seed}") == commitment, "Ply 0 has another seed.")
                key = keyed(seed, f"estafette/deal/1 {self.match} {seat} {' '.join(words)}")
                lot = sorted(self.rules["lot"].split(), key=lambda tile: keyed(key, tile))
                wrong = {*ranks}.intersection(lot[: self.rules["aside"]])
                need(not wrong, f"{seat} has placed {' '.join(wrong)}, which the deal set aside.")

    def follow(self):
        """Follow every piece, and compare what battles showed with what was sealed."""
        self.corner = max((int(at[1:]), at[0]) for zone in self.zones.values() for at in zone)
        standing = [at for at in self.leaves if self.last_setup and self.ranks.get(at) != GAP]
        self.board = {at[1]: {"owner": at[0], "origin": at, "low": False} for at in standing}
        for ply in self.plies:
            if ply.kind == "move":
                self.move(ply.where, SEATS[ply.seat], ply.text)
            elif ply.kind == "setup":
                self.shoot(ply.where, ply.text)
        idle = {row[:2] for row in self.opens if row[2] != GAP} - self.fought
        need(not idle, f"{sorted(idle)} is opened, but that piece has not fought.")

    def move(self, where, mover, text):
        match, board = re.fullmatch(MOVE, text), self.board
        form(match and (match[2] or match[3]), f"{where} cannot be read: {text[:40]}")
        start, walk, target, attacker, defender, sign, shots = match.groups()
        piece, stop = board.get(start), walk or start
        need(piece and piece["owner"] == mover, f"{where}: {mover} has no piece on {start}.")
        inside = not walk or (walk[0] <= self.corner[1] and int(walk[1:]) <= self.corner[0])
        need(inside and walk not in board, f"{where}: {walk} is not free, or off the board.")
        board[stop] = board.pop(start)
        if target:
            other = board.get(target)
            need(other and other["owner"] != mover, f"{where}: no enemy stands on {target}.")
            for fighter, shown in ((piece, attacker), (other, defender)):
                origin, lower = fighter["origin"], self.rules["lower"]
                sealed = self.ranks.get(origin, "nothing that is opened")
                right = shown == (lower.get(sealed) if fighter["low"] else sealed)
                need(right, f"{where} shows {shown} from {origin[1]}, sealed as {sealed}.")
                self.fought.add(origin)
            signs = self.rules["battle"].get(attacker, "").split()
            due = dict(zip(self.rules["against"].split(), signs)).get(defender)
            need(sign == due, f"{where}: {attacker} against {defender} is {due}, not {sign}.")
            for gone in [target] * (sign in ("+", "=", "#")) + [stop] * (sign in ("-", "=")):
                del board[gone]
            if sign in ("+", "#") and attacker not in self.rules["returns"].split():
                board[target] = board.pop(stop)
            if sign in ("+d", "-d"):
                loser, winner = (other, piece) if sign == "+d" else (piece, other)
                self.demote(where, loser)
                loser["owner"] = winner["owner"] if self.rules["convert"] else loser["owner"]
        self.shoot(where, shots or "")

    def shoot(self, where, shots):
        for square, removed in re.findall(f"~({SQUARE})(!?)", shots):
            need(self.rules["lower"] and square in self.board, f"{where}: none is hit on {square}.")
            self.board.pop(square) if removed else self.demote(where, self.board[square])

    def demote(self, where, piece):
        rank = self.ranks.get(piece["origin"])
        need(not piece["low"] and rank in (None, *self.rules["lower"]), f"{where} demotes wrongly.")
        piece["low"] = True

    def check_receipt(self, ply, seal, words):
        seats = [seat for seat, setup in self.setups.items() if str(setup.number) == ply]
        need(seats and seal[0] in ("", seats[0]), "The receipt is of no set-up, or of another.")
        for row in self.unsealed(*seal) if seal[0] else ():
            self.opened(*row)
        due = self.deal[1 + SEATS.index(seats[0])] if words else ""
        need(not words or digest(f"estafette/words/1 {words[6:]}") == due, "Its words are others.")

    def __str__(self):
        end, armies = self.ending, "both open" if self.seals else "not open"
        if end and end.kind == "time" and not self.seals:
            armies += f" until {datetime.fromisoformat(end.at) + timedelta(2):%Y-%m-%d %H:%M} UTC"
        looks = "".join(f"Staff looked at ply {p.number}. " for p in self.plies if p.kind == "look")
        return (
            f"Match {self.match}, {len(self.plies)} plies, {end.ending if end else 'not over'}. "
            f"Armies: {armies if self.hidden else 'never hidden'}. Witnesses that agree: "
            f"{self.witnesses}. Key: {' '.join(self.trusted)}. {looks}Not checked: that the "
            "rules line, moves and ending are right, who moved, when, and that nobody else looked."
        )


# --- witnesses


def plain(data):
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n")


def check_witness(data, bundles):
    """Compare an e-mail, or a text as one without headers, with bundles; returns a sentence."""
    rows = []
    for part in email.message_from_bytes(data.lstrip(b"\xef\xbb\xbf \t\r\n")).walk():
        if not part.is_multipart() and part.get_content_type() != "text/html":
            lines = plain(part.get_payload(decode=True) or b"").split("\n")
            text = "".join(f"{line}\n" for one in lines if (line := one.lstrip("> \t").rstrip()))
            heads = re.findall(f"(?m)^{WITNESS}", text)
            starts = len(re.findall("(?m)^(?:head estafette/|estafette/receipt/1 )", text))
            form(starts == sum(1 + bool(row[0]) for row in heads), "A head or receipt is broken.")
            rows += heads
    known = [bundle for bundle in bundles if bundle.match in {row[2] for row in rows}]
    form(known, "It says nothing of a match whose bundle is given and holds.")
    for of, statement, match, ply, head, signature, *seal, words, end in rows:
        for bundle in [bundle for bundle in known if bundle.match == match][-1:]:  # the longest
            bundle.check_signature(statement, signature)
            again = "Download the bundle again; if it still lacks the ply, history was cut."
            need(int(ply) < len(bundle.heads), f"It knows a later ply, {ply}. {again}")
            need(bundle.heads[int(ply)] == head, f"Up to ply {ply} it has another history. {TWO}")
            if of or seal[0]:
                parts = (of, bool(seal[0]), bool(words), bool(end))
                right = parts == (match, bundle.hidden, bool(bundle.deal), True)
                form(right, "The receipt is not in its form.")
                bundle.check_receipt(ply, seal, words)
    for bundle in known:
        bundle.witnesses += 1
    return f"It agrees with match {', '.join({bundle.match: 0 for bundle in known})}."


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--key", action="append", default=[], help="a public key that counts")
    parser.add_argument("files", nargs="+", metavar="FILE")
    given, bundles, results = parser.parse_args(arguments), [], {}
    if not all(re.fullmatch(HEX, key) for key in given.key):
        parser.error("A key has 64 digits, 0 to 9 and a to f.")
    for wants_bundles in (True, False):  # witnesses are compared with all bundles
        for path in dict.fromkeys(map(Path, given.files)):
            try:
                form(path.is_file() and path.stat().st_size < MAX_BYTES, "No file, or too large.")
                data = path.read_bytes()
                if plain(data[:60]).startswith("estafette/proof/1") == wants_bundles:
                    one = Bundle(plain(data), given.key) if wants_bundles else None
                    results[path] = 0, one.check(bundles) if one else check_witness(data, bundles)
            except Fault as fault:
                results[path] = fault.args
            except Exception as error:  # for example a time of 25 o'clock
                results[path] = 2, f"Something is not in its form: {error}."
    for path, (status, sentence) in results.items():
        verdict = f"{path}: {('HOLDS', 'DOES NOT HOLD', 'CANNOT BE READ')[status]}. {sentence}"
        print(re.sub(r"[^\w -~]", "?", verdict))  # a forged file must not move the cursor
    return max((status for status, _sentence in results.values()), key=[0, 2, 1].index)


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
