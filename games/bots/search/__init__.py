"""Search: the moves of games with hidden ranks and of open ones, by looking ahead."""
