"""Set-ups in the making, the form they are edited in, and each player's library of them."""
