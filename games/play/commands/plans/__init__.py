"""Commands of plans: save or delete one, answer a turn by it, play an answer that waits."""
