"""Lobby: invitations to matches, as open seats, challenges and private links."""
