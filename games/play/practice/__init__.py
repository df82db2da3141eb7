"""Practice board: a player tries moves of both sides, with guesses for hidden pieces."""
