"""Match records: plies, stored sealed, and shown to each reader as far as they may see them."""
