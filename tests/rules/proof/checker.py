"""A second, independent checker of bundles, written from docs/proofs.md; it shares no code.

It goes through the file once, from top to bottom, with a cursor, and works out from the plies which
lines must follow, instead of reading lines and then comparing. It says whether a bundle holds.
"""

import hashlib
import hmac
import json
import string
from datetime import datetime

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KINDS = ("setup", "move", "resign", "draw", "time", "cancel", "void", "reopen", "look")
HEXADECIMAL = set("0123456789abcdef")


class WrongError(Exception):
    """The bundle does not hold, or cannot be read."""


def is_true(condition: object, why: str) -> None:
    if not condition:
        raise WrongError(why)


def sha(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def mac(key: str, text: str) -> str:
    return hmac.new(bytes.fromhex(key), text.encode("ascii"), "sha256").hexdigest()


def is_hex(text: object, digits: int = 64) -> bool:
    return isinstance(text, str) and len(text) == digits and set(text) <= HEXADECIMAL


class Cursor:
    """The lines of a file, taken one after the other."""

    def __init__(self, data: bytes) -> None:
        text = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").decode("ascii")
        is_true(set(text) <= set(string.printable) - set("\t\r\v\f"), "a strange character")
        *self.lines, rest = text.split("\n")
        is_true(rest == "", "no line end at the end")
        self.at = 0

    def has(self, word: str) -> bool:
        return self.at < len(self.lines) and self.lines[self.at].split(" ")[0] == word

    def take(self, word: str) -> str:
        is_true(self.has(word), f"no {word} at line {self.at + 1}")
        self.at += 1
        return self.lines[self.at - 1][len(word) + 1 :]

    def fields(self, word: str) -> list[str]:
        fields = self.take(word).split(" ")
        is_true(all(fields), "two blanks")
        return fields


class Piece:
    def __init__(self, seat: str, start: str) -> None:
        self.raised_by = self.side = seat
        self.start = start
        self.fallen_in_rank = False


class Checker:
    """One bundle. Every method raises WrongError where something does not hold."""

    def __init__(self, data: bytes) -> None:
        self.cursor = Cursor(data)
        self.battles: list[tuple[Piece, str, Piece, str, str, int]] = []
        self.demoted: list[Piece] = []
        self.ended = ""
        self.ended_by = ""
        self.gaps: set[tuple[str, str]] = set()

    def run(self) -> None:
        cursor = self.cursor
        self.match = cursor.take("estafette/proof/1")
        is_true(self.match.isdigit() and str(int(self.match)) == self.match, "match")
        keys = [cursor.take("key")]
        while cursor.has("key"):
            keys.append(cursor.take("key"))
        is_true(all(map(is_hex, keys)), "keys")
        self.read_rules(cursor.take("rule"))
        lines = [cursor.take("ply")]
        while cursor.has("ply"):
            lines.append(cursor.take("ply"))
        head = ""
        for line in lines:
            head = sha(f"{head} {line}" if head else line)
        self.read_start(lines[0])
        plies = [self.read_ply(number, line) for number, line in enumerate(lines[1:], 1)]
        self.check_turns(plies)
        statement = f"estafette/head/1 {self.match} {len(plies)} {head}"
        is_true(cursor.take("head") == statement, "head")
        signature = cursor.take("sign")
        is_true(is_hex(signature, 128), "signature")
        try:
            key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(keys[0]))
            key.verify(bytes.fromhex(signature), statement.encode())
        except (InvalidSignature, ValueError):
            raise WrongError("signature") from None
        if self.rules.get("zone"):
            self.read_armies(plies)
            self.follow(plies)
            self.read_openings()
        cursor.take("end")
        is_true(cursor.lines[-1] == "end" and cursor.at == len(cursor.lines), "after the end")

    def read_rules(self, line: str) -> None:
        self.rules = json.loads(line)
        is_true(json.dumps(self.rules, separators=(",", ":")) == line, "rules are not compact")
        is_true(self.rules["format"] == "estafette/rules/1", "format of the rules")
        fields = "format preset"
        if not self.rules["preset"].startswith("assaut"):
            fields += " zone pieces army returns lower convert against battle"
        is_true(" ".join(self.rules) in (fields, f"{fields} lot aside"), "fields of the rules")
        self.rules_hash = sha(line)

    def read_start(self, line: str) -> None:
        start = json.loads(line)
        is_true(json.dumps(start, separators=(",", ":")) == line, "ply 0 is not compact")
        name, match, preset, switches, pace, setup_pace, rules, self.deal, self.at = start
        is_true((name, match) == ("estafette/match/2", int(self.match)), "another match")
        is_true((preset, rules) == (self.rules["preset"], self.rules_hash), "other rules")
        is_true(isinstance(pace, str) and isinstance(setup_pace, str), "pace")
        is_true(isinstance(switches, list) and switches == sorted(switches), "switches")
        is_true("\\" not in line and self.is_moment(self.at), "ply 0")
        for option, value in switches:
            is_true(isinstance(option, str) and isinstance(value, int | str), "switch")
            is_true(" " not in f"{option}{value}", "switch")
        is_true(len({option for option, _value in switches}) == len(switches), "option twice")
        is_true((self.deal is None) == ("lot" not in self.rules), "deal")
        is_true(self.deal is None or [*map(is_hex, self.deal)] == [True] * 3, "deal")

    def read_ply(self, number: int, line: str) -> tuple[int | None, str, str, str]:
        count, seat, kind, text, at, extra = json.loads(line)
        row = [count, seat, kind, text, at, extra]
        is_true(json.dumps(row, separators=(",", ":")) == line and "\\" not in line, "ply")
        is_true(type(count) is int and count == number, "number")
        is_true(seat is None or (type(seat) is int and seat in (0, 1)), "seat")
        is_true(kind in KINDS, "kind")
        is_true(isinstance(text, str) and isinstance(extra, str), "text")
        is_true(text or kind != "move", "an empty move")
        is_true(self.is_moment(at), "time")
        is_true(at >= self.at, "an earlier time")
        self.at = at
        return seat, kind, text, extra

    def check_turns(self, plies: list[tuple[int | None, str, str, str]]) -> None:
        hides = "zone" in self.rules
        self.missing = [0, 1] if hides else [1]
        self.army_hashes: dict[int, str] = {}
        letters = "SN" if hides else "SO"
        mover = 0
        for seat, kind, text, extra in plies:
            ending = "" if kind in ("look", "reopen") else extra
            if self.ended:
                may = self.ended_by in ("time", "cancel") and kind in ("reopen", "void")
                is_true(may, "after the end")
            else:
                is_true(kind != "reopen", "nothing to reopen")
            is_true(text == "" or kind in ("setup", "move"), "text")
            if kind == "setup":
                is_true(seat in self.missing, "set-up")
                self.missing.remove(seat)
                sealed, _, ending = extra.partition(" ")
                points = sealed.split(",")
                two = len(points) == 2 and all(self.is_square(point) for point in points)
                is_true(is_hex(sealed) if hides else two and not ending, "army hash")
                shots = text.split(" ") if text else []
                is_true(all(self.is_square(shot[1:].removesuffix("!")) for shot in shots), "volley")
                is_true(all(shot.startswith("~") for shot in shots), "volley")
                is_true(not self.missing or not (text or ending), "a volley too early")
                self.army_hashes[int(seat or 0)] = sealed
            elif kind == "move":
                is_true(not self.missing and seat == mover, "turn")
                is_true("#" not in text or ending, "# without an end")
                mover = 1 - mover
            elif kind == "look":
                is_true(is_hex(extra), "look")
            elif kind == "reopen":
                is_true(extra == "", "reopen")
                self.ended = self.ended_by = ""
            else:
                is_true(ending, "no result")
            if ending:
                self.check_ending(kind, seat, ending, letters)
                self.ended, self.ended_by = ending, kind

    @staticmethod
    def is_moment(at: str) -> bool:
        moment = datetime.fromisoformat(at)
        return moment.isoformat(timespec="microseconds") == at and at.endswith("+00:00")

    @staticmethod
    def is_square(text: str) -> bool:
        file, rank = text[:1], text[1:]
        return "a" <= file <= "w" and rank.isdecimal() and 1 <= int(rank) <= 99 and rank[0] != "0"

    def check_ending(self, kind: str, seat: int | None, ending: str, letters: str) -> None:
        result, _, reason = ending.partition(" ")
        is_true(reason and not reason.startswith(" "), "reason")
        if kind in ("cancel", "void"):
            is_true(result == "-" and (kind == "cancel" or reason == "void"), "result")
        elif kind == "draw":
            is_true(result == "draw", "result")
        elif kind == "resign":
            is_true(seat in (0, 1) and result == letters[1 - int(seat or 0)], "result")
        else:
            is_true(result in ("draw", *letters), "result")

    def read_armies(self, plies: list[tuple[int | None, str, str, str]]) -> None:
        self.zones = {seat: self.rules["zone"][seat].split(" ") for seat in "SN"}
        self.leaves: dict[tuple[str, str], str] = {}
        for number in sorted(self.army_hashes):
            seat, *leaves = self.cursor.fields("army")
            is_true(seat == "SN"[number] and all(map(is_hex, leaves)), "army line")
            is_true(len(leaves) == len(self.zones[seat]), "length of the army line")
            hashed = sha(f"estafette/army/1 {self.match} {seat} {' '.join(leaves)}")
            is_true(hashed == self.army_hashes[number], "army hash")
            squares = ((seat, square) for square in self.zones[seat])
            self.leaves.update(zip(squares, leaves, strict=True))

    def follow(self, plies: list[tuple[int | None, str, str, str]]) -> None:
        """Move pieces without knowing ranks; note battles and demotions for later."""
        self.pieces = {} if self.missing else {
            (seat, square): Piece(seat, square) for seat, square in self.leaves
        }  # fmt: skip
        self.board = {square: piece for (_seat, square), piece in self.pieces.items()}
        self.touched: list[tuple[Piece, str]] = []
        for number, (seat, kind, text, _extra) in enumerate(plies, 1):
            if kind == "setup" and text:
                for shot in text.split(" "):
                    self.shoot(shot)
            if kind == "move":
                words = text.split(" ")
                self.step("SN"[int(seat or 0)], words[0], number)
                for shot in words[1:]:
                    self.shoot(shot)

    def step(self, mover: str, word: str, number: int) -> None:
        way, bracket, rest = word.partition("[")
        walk, attack, target = way.partition("x")
        start, dash, stop = walk.partition("-")
        is_true((dash or attack) and bool(bracket) == bool(attack), "move")
        stop = stop if dash else start
        piece = self.board.get(start)
        is_true(piece and piece.side == mover, "no own piece")
        self.touched.append((piece, start))
        is_true(not dash or stop not in self.board or self.is_gap(stop), "not free")
        zones = [square for zone in self.zones.values() for square in zone]
        is_true(not dash or stop[0] in {square[0] for square in zones}, "file of the board")
        is_true(not dash or int(stop[1:]) <= max(int(square[1:]) for square in zones), "rank")
        del self.board[start]
        self.board[stop] = piece
        if not attack:
            return
        ranks, _, sign = rest.partition("]")
        own_rank, _, theirs = ranks.partition("v")
        other = self.board.get(target)
        is_true(other and other.side != mover, "no enemy")
        self.touched.append((other, target))
        signs = self.rules["battle"].get(own_rank, "").split(" ")
        against = self.rules["against"].split(" ")
        is_true(theirs in against and len(signs) == len(against), "rank")
        is_true(sign == signs[against.index(theirs)], "sign")
        self.battles.append((piece, own_rank, other, theirs, sign, number))
        self.check_low(piece, own_rank)
        self.check_low(other, theirs)
        returns = own_rank in self.rules["returns"].split(" ")
        match sign:
            case "+" | "#" if returns:
                del self.board[target]
            case "+" | "#":
                del self.board[stop]
                self.board[target] = piece
            case "-":
                del self.board[stop]
            case "=":
                del self.board[stop], self.board[target]
            case "+d" | "-d":
                loser = other if sign == "+d" else piece
                self.demote(loser)
                if self.rules["convert"]:
                    loser.side = "N" if loser.side == "S" else "S"

    def is_gap(self, square: str) -> bool:
        """Whether what seems to stand on a square may be a gap; if so it is taken as one."""
        piece = self.board[square]
        if piece.start == square and all(piece is not known for known, _at in self.touched):
            self.board.pop(square)
            self.gaps.add((piece.raised_by, square))
            return True
        return False

    def check_low(self, piece: Piece, rank: str) -> None:
        is_true(piece.fallen_in_rank == rank.endswith("'"), "a demoted piece")

    def demote(self, piece: Piece) -> None:
        is_true(self.rules["lower"] and not piece.fallen_in_rank, "demoted twice")
        piece.fallen_in_rank = True
        self.demoted.append(piece)

    def shoot(self, shot: str) -> None:
        is_true(shot.startswith("~"), "volley")
        square = shot[1:].removesuffix("!")
        piece = self.board.get(square)
        is_true(piece and self.rules["lower"], "nothing to hit")
        self.touched.append((piece, square))
        if shot.endswith("!"):
            del self.board[square]
        else:
            self.demote(piece)

    def read_openings(self) -> None:
        """What must be opened now, line by line; then the ranks against all that was noted."""
        fought = {(p.raised_by, p.start) for b in self.battles for p in (b[0], b[2])}
        decided = not self.missing and self.ended[:1] in ("S", "N", "d")
        whole = decided and (self.ended_by != "time" or self.cursor.has("seal"))
        ranks: dict[tuple[str, str], str] = {}
        if whole:
            for seat in "SN":
                ranks |= self.read_seal(seat)
            if self.deal is not None:
                self.check_deal(self.cursor.take("seed"), ranks)
        else:
            for place in self.leaves:
                if self.cursor.has("open") and self.peek() == place:
                    ranks[place] = self.read_open(place)
        opened_gaps = {place for place, rank in ranks.items() if rank == "-"}
        is_true(whole or set(ranks) == fought | opened_gaps, "not what must be opened")
        if not self.missing:
            for seat, zone in self.zones.items():
                gaps = sum(place[0] == seat for place in opened_gaps)
                is_true(len(zone) - gaps == self.rules["pieces"], "number of pieces")
            is_true(self.gaps <= opened_gaps, "a square that was entered is a gap")
            used = {(piece.raised_by, piece.start) for piece, _at in self.touched}
            is_true(not used & opened_gaps, "a gap has moved")
        for seat in "SN":
            own_ranks = [self.listed(rank) for (side, _), rank in ranks.items() if side == seat]
            for rank in set(own_ranks) - {"-"}:
                is_true(own_ranks.count(rank) <= self.rules["army"].get(rank, 0), "too many")
        self.compare(ranks)

    def compare(self, ranks: dict[tuple[str, str], str]) -> None:
        lower = self.rules["lower"]
        for own, shown, other, also, _sign, _number in self.battles:
            for piece, rank in ((own, shown), (other, also)):
                sealed = ranks[piece.raised_by, piece.start]
                is_true(rank in (sealed, lower.get(sealed)), "another rank")
        for piece in self.demoted:
            rank = ranks.get((piece.raised_by, piece.start))
            is_true(rank is None or rank in lower, "not to be demoted")

    def listed(self, rank: str) -> str:
        return min(rank, rank[1] + rank[0]) if self.deal and len(rank) == 2 else rank

    def peek(self) -> tuple[str, str]:
        _open, seat, square, *_rest = (*self.cursor.lines[self.cursor.at].split(" "), "", "")
        return seat, square

    def read_open(self, place: tuple[str, str]) -> str:
        seat, square, rank, nonce = self.cursor.fields("open")
        is_true((seat, square) == place and is_hex(nonce), "open line")
        leaf = sha(f"estafette/piece/1 {self.match} {seat} {square} {rank} {nonce}")
        is_true(leaf == self.leaves[place], "opened as another rank")
        return rank

    def read_seal(self, seat: str) -> dict[tuple[str, str], str]:
        letter, secret, *ranks = self.cursor.fields("seal")
        is_true(letter == seat and is_hex(secret), "seal line")
        is_true(len(ranks) == len(self.zones[seat]), "length of the seal line")
        rank_by_square = {}
        for square, rank in zip(self.zones[seat], ranks, strict=True):
            nonce = mac(secret, f"estafette/nonce/1 {self.match} {seat} {square}")
            leaf = sha(f"estafette/piece/1 {self.match} {seat} {square} {rank} {nonce}")
            is_true(leaf == self.leaves[seat, square], "sealed as another rank")
            rank_by_square[seat, square] = rank
        return rank_by_square

    def check_deal(self, seed: str, ranks: dict[tuple[str, str], str]) -> None:
        commitment, south, north = self.deal
        is_true(is_hex(seed) and sha(f"estafette/seed/1 {seed}") == commitment, "seed")
        for seat in "SN":
            key = mac(seed, f"estafette/deal/1 {self.match} {seat} {south} {north}")
            order = sorted((mac(key, tile), tile) for tile in self.rules["lot"].split(" "))
            aside = {tile for _number, tile in order[: self.rules["aside"]]}
            placed = {self.listed(rank) for (side, _), rank in ranks.items() if side == seat}
            is_true(not aside & placed, "a tile that was set aside")


def holds(data: bytes) -> bool:
    """Whether a bundle holds; False for anything that is no bundle."""
    try:
        Checker(data).run()
    except (WrongError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False
    return True
