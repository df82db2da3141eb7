"""Talk worlds: the players write other texts, more or fewer, and nobody else can detect it.

The match is the same in all worlds. What differs is what the two write, whether it is muted, hidden
by a block, and wanted at all. Spectators, strangers and staff receive the same bytes.
"""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from accounts.models import User
from games.people.models import Block
from games.play.models.match import Match, Player
from games.rules.core.basics.refusals import Refusal
from games.talk import commands as talk
from games.talk.models import Line
from tests import tiers
from tests.secrecy import between, channels, worlds
from tests.secrecy.channels import SPECTATOR, STAFF, STRANGER
from tests.secrecy.scene import Scene
from tests.secrecy.stories import Deal, Deck, Story, StoryKind, plan
from tests.secrecy.transcript import Leak, Transcript, compare
from tests.secrecy.worlds import World, live

pytestmark = pytest.mark.long

OTHERS = (SPECTATOR, STRANGER, STAFF)
FEW = (STAFF,)  # who may open everything that others may
# Rows of talk are not listed there, but others have higher numbers if there are more of them.
COUNTS = "outbox.Dispatch"
WORLDS = 3
KIND = StoryKind("play", alike=True)
STORIES = tiers.parameters(
    [
        ("lattaque-en", KIND, 2, FEW),
        ("lattaque-en", KIND, 2, OTHERS),
        ("lattaque-en", KIND, WORLDS, OTHERS),
        ("lattaque-en", StoryKind("play", "resign", alike=True), WORLDS, OTHERS),
        ("assaut", StoryKind("play", "void", alike=True), WORLDS, OTHERS),
    ],
    fast=[("lattaque-en", KIND, 2, FEW)],
)


class TalkWorld(World):
    """A world in which the players also talk, by its own whim."""

    def _talk(self) -> None:
        """They write nothing, or some lines each."""
        with self.act("the players talk"):
            self._write()
        self.instant += timedelta(minutes=3)
        with self.act("they are notified"):
            self.tasks(between.DRAIN)

    def look(self, when: str) -> None:
        """They talk before others look, who could read in the admin how long a row is overdue."""
        self._talk()
        super().look(when)

    def _write(self) -> None:
        for writer, reader in ((self.victim, self.opponent), (self.opponent, self.victim)):
            talk.mute(self.match.pk, reader, muted=self.whim.random() < 0.3)
            if self.whim.random() < 0.3:
                fields = {"made_at": self.instant}
                Block.objects.get_or_create(owner=reader, blocked=writer, defaults=fields)
            unwanted = self.whim.random() < 0.1
            User.objects.filter(pk=reader.pk).update(no_talk=unwanted)
            for _ in range(self.whim.randrange(4)):
                with suppress(Refusal):
                    talk.say(self.match.pk, writer, f"Secret {self.whim.random()}")


def received(transcript: Transcript) -> Transcript:
    """What others than the two players receive."""
    entries = [entry for entry in transcript.entries if entry.viewer in OTHERS]
    return Transcript(entries, transcript.crashes)


def story_of(
    preset: str,
    kind: StoryKind,
    only: Collection[str] = (),
    viewers: Collection[str] = OTHERS,
) -> Story:
    """A story of this kind in which the others, or some of them, visit all pages or only some."""
    story = plan(preset, 1, Deck(Random(preset), only=["home"]), kinds=(kind,), seed="talk")
    visits = [
        Deal(viewer, name)
        for name, page in channels.pages().items()
        for viewer in page.viewers
        if viewer in viewers and name != COUNTS and (not only or name in only)
    ]
    return replace(story, looks={"after" if kind.ending else "end": visits})


@pytest.fixture(autouse=True)
def _with_talk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worlds, "World", TalkWorld)


@pytest.mark.parametrize(("preset", "kind", "lived", "viewers"), STORIES, ids=str)
def test_nobody_else_can_detect_what_the_players_write(
    preset: str, kind: StoryKind, lived: int, viewers: tuple[str, ...], scene: Scene
) -> None:
    story = story_of(preset, kind, viewers=viewers)
    first = received(live(story, 0, scene))
    assert len({entry.channel for entry in first.entries}) > 60
    for side in range(1, lived):
        compare(first, received(live(story, side, scene)), str(story))


def test_a_version_that_changes_with_talk_is_detected(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Match.version_for

    def leaking(match: Match, player: Player | None) -> str:
        return f"{honest(match, None)}{Line.objects.filter(match=match).count()}"

    monkeypatch.setattr(Match, "version_for", leaking)
    story = story_of("lattaque-en", StoryKind("play", alike=True), ["play:match", "play:news"])
    first = received(live(story, 0, scene))
    with pytest.raises(Leak) as leak:
        for side in range(1, WORLDS):
            compare(first, received(live(story, side, scene)), str(story))
    assert not leak.value.crashes
