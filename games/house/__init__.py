"""House opponents in matches: accounts, seats, and their answers to turns and offers."""
