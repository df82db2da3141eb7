"""The purpose under which plies, drafts, notebooks and saved set-ups are sealed."""

PURPOSE = "seal"
