"""Basic values of all games: boards, pieces, moves, options, refusals."""
