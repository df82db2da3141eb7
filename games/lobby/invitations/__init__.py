"""Invitations: who may offer and accept them, how an opponent is found, when they expire."""
