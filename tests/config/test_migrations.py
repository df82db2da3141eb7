"""A migration that the running version would not survive is refused before it lands."""

import pytest
from django_migration_linter.sql_analyser import analyse_sql_statements, get_sql_analyser_class


@pytest.mark.parametrize(
    "statement",
    [
        'ALTER TABLE "play_match" DROP COLUMN "pace" CASCADE',
        'ALTER TABLE "play_match" RENAME COLUMN "pace" TO "control"',
        'ALTER TABLE "play_match" RENAME TO "match"',
        'DROP TABLE "play_match" CASCADE',
        'ALTER TABLE "play_match" ADD COLUMN "more" integer NOT NULL',
    ],
)
def test_what_takes_something_away_is_an_error(statement: str) -> None:
    errors, _ignored, _warnings = analyse_sql_statements(
        get_sql_analyser_class("postgresql"), [statement]
    )
    assert errors


def test_what_adds_something_is_none() -> None:
    statement = 'ALTER TABLE "play_match" ADD COLUMN "more" integer NULL'
    errors, _ignored, _warnings = analyse_sql_statements(
        get_sql_analyser_class("postgresql"), [statement]
    )
    assert not errors
