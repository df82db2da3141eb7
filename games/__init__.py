"""The games: rules, matches, lobby, archive, guide, notifications; a Django app each."""
