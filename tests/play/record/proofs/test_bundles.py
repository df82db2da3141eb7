"""Bundles of matches that the service has played hold, at every stage, for the program offline."""

from pathlib import Path
from random import Random

import pytest

from games.play.commands import endings
from games.rules import registry
from games.rules.proof.replay import replay_bundle
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.play.record.proofs.verifying import (
    HOLDS,
    play_at_random,
    proofs_of,
    set_up_at_random,
    verified,
)
from tests.tiers import parameters

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "preset",
    parameters(
        [rules.key for rules in registry.editions()], fast=["domino", "tactique-volley-all"]
    ),
)
def test_a_bundle_verifies_from_the_opening_to_the_end_of_a_match(
    who: People, preset: str, tmp_path: Path
) -> None:
    dice = Random(preset)
    match = match_helpers.new_match(who, preset)
    # Alone, since it ends before the receipts begin.
    status, output = verified(tmp_path, proofs_of(match, "-opened"))
    assert status == HOLDS, output
    set_up_at_random(match, dice)
    files = proofs_of(match, "-0")
    for number in play_at_random(match, dice, 60):
        if number % 10 == 0:
            files |= proofs_of(match, f"-{number}")
    match.refresh_from_db()
    if match.is_live:
        files |= proofs_of(match, "-last")
        endings.resign(match.pk, who.alice)
    files |= proofs_of(match, "-over")
    status, output = verified(tmp_path, files)
    assert status == HOLDS, output
    assert output.count("HOLDS") == len(files)
    # Played through the rules, it is the same match.
    assert replay_bundle(files[f"bundle-over-{match.pk}.proof"])
