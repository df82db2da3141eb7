"""Backtracking machine: finds the same matches as the module `re`, and counts its steps.

A step is one character compared, one choice taken or one backtrack. That is what the engine
of `re` does, too, up to a constant factor; it optimizes more, but never by more than that.
"""

from re import Pattern, _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

constants = _constants

Span = tuple[int, int]
Marks = tuple[int | None, ...]  # where groups begin and end, then where rounds of loops began

UNLIMITED = constants.MAXREPEAT
REPEATS = (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT)
CHARACTERS = (constants.LITERAL, constants.NOT_LITERAL, constants.ANY, constants.IN)
MAX_INSTRUCTIONS = 20_000

# The instructions of a program.
ONE, RUN, SPLIT, JUMP, MARK, FORGET, ROUND, AT, LOOK, ATOMIC, SAME, IF, FAIL, END = range(14)

MULTILINE, IGNORECASE = constants.SRE_FLAG_MULTILINE, constants.SRE_FLAG_IGNORECASE


class TooManySteps(Exception):  # noqa: N818 - it answers how many there are.
    """The limit of steps is reached."""


class CharacterSet(dict[Any, bool]):
    """Whether a character is in a set; `re` is asked once for each character."""

    def __init__(self, item: Any, flags: int, *, is_bytes: bool) -> None:
        super().__init__()
        state = _parser.State()
        state.flags = flags
        self._pattern = _compiler.compile(_parser.SubPattern(state, [item]), flags)
        self._is_bytes = is_bytes

    def __missing__(self, character: Any) -> bool:
        text = bytes([character]) if self._is_bytes else character
        is_in_set = self[character] = self._pattern.fullmatch(text) is not None
        return is_in_set


class AnySet(dict[Any, bool]):
    """Whether a character is in one of some sets."""

    def __init__(self, sets: list[CharacterSet]) -> None:
        super().__init__()
        self._sets = sets

    def __missing__(self, character: Any) -> bool:
        is_in_any = self[character] = any(one[character] for one in self._sets)
        return is_in_any


class Machine:
    """A pattern whose steps are counted. Each method counts from 0 and stops at the limit."""

    def __init__(self, pattern: Pattern[Any]) -> None:
        self.is_bytes = isinstance(pattern.pattern, bytes)
        self.tree = _parser.parse(pattern.pattern, pattern.flags)
        self.flags = int(self.tree.state.flags)
        self.steps = self.limit = 0
        self.sets: dict[tuple[str, int], CharacterSet] = {}
        self._number_of_marks = 2 * self.tree.state.groups
        self._program = self._compile(self.tree, self.flags)
        first = self.beginnings(self.tree, self.flags)
        self._first = None if first is None else AnySet(first)
        word = (constants.IN, [(constants.CATEGORY, constants.CATEGORY_WORD)])
        self._word = CharacterSet(word, self.flags, is_bytes=self.is_bytes)

    # --- what is asked of a pattern

    def match(self, text: Any, limit: int = 10**9) -> Span | None:
        """The span of `Pattern.match`."""
        self.steps, self.limit = 0, limit
        return self._match_at(text, 0)

    def fullmatch(self, text: Any, limit: int = 10**9) -> Span | None:
        """The span of `Pattern.fullmatch`."""
        self.steps, self.limit = 0, limit
        return self._match_at(text, 0, whole=True)

    def search(self, text: Any, limit: int = 10**9) -> Span | None:
        """The span of `Pattern.search`."""
        self.steps, self.limit = 0, limit
        return self._search(text, 0)

    def finditer(self, text: Any, limit: int = 10**9) -> list[Span]:
        """The spans of `Pattern.finditer`, which are those of findall, split and sub, too."""
        self.steps, self.limit = 0, limit
        spans: list[Span] = []
        place, forbidden = 0, None
        while span := self._search(text, place, forbidden):
            spans.append(span)
            place = span[1]
            # Two matches without characters may not stand at one place.
            forbidden = place if span[0] == place else None
        return spans

    def follow(self, text: Any, limit: int = 10**9) -> list[Span]:
        """The spans of `Pattern.match` where each begins with the end of the last."""
        self.steps, self.limit = 0, limit
        spans: list[Span] = []
        place = 0
        while (span := self._match_at(text, place)) and span[1] > place:
            spans.append(span)
            place = span[1]
        return spans

    # --- the run

    def _search(self, text: Any, start: int, forbidden: int | None = None) -> Span | None:
        for place in range(start, len(text) + 1):
            self.steps += 1
            if self._first is None or (place < len(text) and self._first[text[place]]):
                if span := self._match_at(text, place, forbidden=forbidden):
                    return span
            elif self.steps > self.limit:
                raise TooManySteps
            forbidden = None
        return None

    def _match_at(
        self, text: Any, place: int, *, whole: bool = False, forbidden: int | None = None
    ) -> Span | None:
        marks: Marks = (None,) * self._number_of_marks
        end_and_marks = self._run(
            self._program, text, place, marks, whole=whole, forbidden=forbidden
        )
        return None if end_and_marks is None else (place, end_and_marks[0])

    def _run(
        self,
        program: list[Any],
        text: Any,
        place: int,
        marks: Marks,
        *,
        whole: bool = False,
        forbidden: int | None = None,
    ) -> tuple[int, Marks] | None:
        """Where the first match at a place ends, and its marks."""
        # Alternatives still to try: an instruction, the places in ascending order, the marks.
        waiting: list[tuple[int, int, int, Marks]] = []
        end, at, steps = len(text), 0, self.steps
        while True:
            steps += 1
            if steps > self.limit:
                raise TooManySteps
            instruction = program[at]
            kind = instruction[0]
            at += 1
            fits = True
            if kind == ONE:
                fits = place < end and instruction[1][text[place]]
                place += 1
            elif kind == RUN:
                _, accepted, least, most = instruction
                start, most = place, min(end, place + most)
                while place < most and accepted[text[place]]:
                    place += 1
                steps += place - start
                fits = place >= start + least
                if place > start + least:
                    waiting.append((at, start + least, place - 1, marks))
            elif kind == SPLIT:
                waiting.append((instruction[2], place, place, marks))
                at = instruction[1]
            elif kind == JUMP:
                at = instruction[1]
            elif kind == MARK:
                marks = _marked(marks, instruction[1], place)
            elif kind == FORGET:
                marks = _marked(marks, instruction[1], None)
            elif kind == ROUND:
                # After a round that consumed nothing there is no other.
                fits = marks[instruction[1]] != place
                marks = _marked(marks, instruction[1], place)
            elif kind == AT:
                fits = self._is_at(instruction[1], text, place)
            elif kind in (LOOK, ATOMIC):
                back = instruction[2] if kind == LOOK else 0
                self.steps = steps
                end_and_marks = None
                if place >= back:
                    end_and_marks = self._run(instruction[1], text, place - back, marks)
                steps = self.steps
                fits = (end_and_marks is not None) == (kind == ATOMIC or instruction[3])
                if end_and_marks and fits:
                    place, marks = (place if kind == LOOK else end_and_marks[0]), end_and_marks[1]
            elif kind == SAME:
                first, last = marks[2 * instruction[1] : 2 * instruction[1] + 2]
                fits = first is not None and last is not None
                if first is not None and last is not None:
                    steps += last - first
                    fits = text[place : place + last - first] == text[first:last]
                    place += last - first
            elif kind == IF:
                if marks[2 * instruction[1] + 1] is None:
                    at = instruction[2]
            elif kind == END:
                fits = (place == end or not whole) and place != forbidden
                if fits:
                    self.steps = steps
                    return place, marks
            else:
                fits = False
            if fits:
                continue
            if not waiting:
                self.steps = steps
                return None
            at, least, place, marks = waiting.pop()
            if place > least:
                upcoming = program[at]
                if upcoming[0] == ONE:
                    given, accepted = place, upcoming[1]
                    while place > least and not (place < end and accepted[text[place]]):
                        place -= 1
                    steps += given - place
                if place > least:
                    waiting.append((at, least, place - 1, marks))

    def _is_at(self, where: Any, text: Any, place: int) -> bool:
        newline = 10 if self.is_bytes else "\n"
        if where in (constants.AT_BEGINNING, constants.AT_BEGINNING_STRING):
            return place == 0
        if where == constants.AT_BEGINNING_LINE:
            return place == 0 or text[place - 1] == newline
        if where == constants.AT_END_STRING:
            return place == len(text)
        if where in (constants.AT_END, constants.AT_END_LINE) and place == len(text):
            return True
        if where == constants.AT_END_LINE:
            return bool(text[place] == newline)
        if where == constants.AT_END:
            return place == len(text) - 1 and text[place] == newline
        if not text:
            return False
        before = bool(place > 0 and self._word[text[place - 1]])
        after = bool(place < len(text) and self._word[text[place]])
        return (before != after) == bool(where == constants.AT_BOUNDARY)

    # --- the program

    def set_of(self, item: Any, flags: int) -> CharacterSet:
        """The set of what one item of the tree accepts."""
        key = (repr(item), flags)
        if key not in self.sets:
            self.sets[key] = CharacterSet(item, flags, is_bytes=self.is_bytes)
        return self.sets[key]

    def beginnings(self, items: Any, flags: int) -> list[CharacterSet] | None:
        """The sets of what a match can begin with; None if it may be empty, or is not known."""
        for operation, value in items:
            if operation in CHARACTERS:
                return [self.set_of((operation, value), flags)]
            if operation == constants.SUBPATTERN:
                return self.beginnings(value[3], flags_within(value, flags))
            if operation == constants.BRANCH:
                begun: list[CharacterSet] = []
                for branch in value[1]:
                    sets = self.beginnings(branch, flags)
                    if sets is None:
                        return None
                    begun += sets
                return begun
            if operation in REPEATS:
                return self.beginnings(value[2], flags) if value[0] else None
            if operation not in (constants.AT, constants.ASSERT, constants.ASSERT_NOT):
                return None
        return None

    def _compile(self, items: Any, flags: int) -> list[Any]:
        program: list[Any] = []
        self._add(program, items, flags)
        program.append((END,))
        return program

    def _add(self, program: list[Any], items: Any, flags: int) -> None:
        for operation, value in items:
            if len(program) > MAX_INSTRUCTIONS:
                raise NotImplementedError("The pattern repeats too much to be written out.")
            if operation in CHARACTERS:
                program.append((ONE, self.set_of((operation, value), flags)))
            elif operation == constants.SUBPATTERN:
                self._add_group(program, value, flags)
            elif operation == constants.BRANCH:
                self._add_branches(program, value[1], flags)
            elif operation == constants.POSSESSIVE_REPEAT:
                self._add_possessive(program, value, flags)
            elif operation in REPEATS:
                self._add_repeat(program, operation, value, flags)
            elif operation == constants.AT:
                program.append((AT, _with_lines(value) if flags & MULTILINE else value))
            elif operation in (constants.ASSERT, constants.ASSERT_NOT):
                back = value[1].getwidth()[0] if value[0] < 0 else 0
                wanted = operation == constants.ASSERT
                program.append((LOOK, self._compile(value[1], flags), back, wanted))
            elif operation == constants.ATOMIC_GROUP:
                program.append((ATOMIC, self._compile(value, flags)))
            elif operation == constants.GROUPREF and not flags & IGNORECASE:
                program.append((SAME, value))
            elif operation == constants.GROUPREF_EXISTS:
                self._add_condition(program, value, flags)
            elif operation == constants.FAILURE:
                program.append((FAIL,))
            else:
                raise NotImplementedError(f"{operation} is not known to this machine.")

    def _add_group(self, program: list[Any], value: Any, flags: int) -> None:
        group, items = value[0], value[3]
        if group is not None:
            program.append((MARK, 2 * group))
        self._add(program, items, flags_within(value, flags))
        if group is not None:
            program.append((MARK, 2 * group + 1))

    def _add_branches(self, program: list[Any], branches: list[Any], flags: int) -> None:
        jumps = []
        for branch in branches[:-1]:
            split = len(program)
            program.append(None)
            self._add(program, branch, flags)
            jumps.append(len(program))
            program.append(None)
            program[split] = (SPLIT, split + 1, len(program))
        self._add(program, branches[-1], flags)
        for jump in jumps:
            program[jump] = (JUMP, len(program))

    def _add_condition(self, program: list[Any], value: Any, flags: int) -> None:
        group, then, otherwise = value
        condition = len(program)
        program.append(None)
        self._add(program, then, flags)
        jump = len(program)
        program.append(None)
        program[condition] = (IF, group, len(program))
        self._add(program, otherwise or [], flags)
        program[jump] = (JUMP, len(program))

    def _add_possessive(self, program: list[Any], value: Any, flags: int) -> None:
        least, most, items = value
        inner: list[Any] = []
        # Each round is kept as it was matched, too.
        atom = items if _is_one(items) else [(constants.ATOMIC_GROUP, items)]
        self._add_repeat(inner, constants.MAX_REPEAT, (least, most, atom), flags)
        program.append((ATOMIC, [*inner, (END,)]))

    def _add_repeat(self, program: list[Any], operation: Any, value: Any, flags: int) -> None:
        least, most, items = value
        greedy = operation == constants.MAX_REPEAT
        if greedy and _is_one(items):
            item, flags = _one(items, flags)
            most = 10**9 if most == UNLIMITED else most
            program.append((RUN, self.set_of(item, flags), least, most))
            return
        for _ in range(least):
            self._add(program, items, flags)
        register = self._number_of_marks
        self._number_of_marks += 1
        program.append((FORGET, register))
        splits = []
        for _ in range(1 if most == UNLIMITED else most - least):
            splits.append(len(program))
            program += [None, (ROUND, register)]
            self._add(program, items, flags)
        if most == UNLIMITED:
            program.append((JUMP, splits[0]))
        for split in splits:
            ways = (split + 1, len(program))
            program[split] = (SPLIT, *(ways if greedy else ways[::-1]))


def flags_within(group: Any, flags: int) -> int:
    """The flags within a group, which may set its own."""
    return int(_compiler._combine_flags(flags, group[1], group[2]))


def _marked(marks: Marks, number: int, place: int | None) -> Marks:
    return (*marks[:number], place, *marks[number + 1 :])


def _with_lines(where: Any) -> Any:
    """What `^` and `$` are where they belong to lines."""
    return constants.AT_MULTILINE.get(where, where)


def _is_one(items: Any) -> bool:
    """Whether it is a single character, with nothing to remember."""
    if len(items) != 1:
        return False
    operation, value = items[0]
    if operation == constants.SUBPATTERN:
        return value[0] is None and _is_one(value[3])
    return operation in CHARACTERS


def _one(items: Any, flags: int) -> tuple[Any, int]:
    """That character, and the flags under which it stands."""
    operation, value = items[0]
    if operation == constants.SUBPATTERN:
        return _one(value[3], flags_within(value, flags))
    return items[0], flags
