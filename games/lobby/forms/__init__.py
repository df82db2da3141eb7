"""Forms of an invitation: who may accept, game and options, time control."""
