"""Where a match finds its two players: open seats, challenges and private links."""
