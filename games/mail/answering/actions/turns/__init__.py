"""Handlers of what plays a turn: moves, set-ups, and plans for later turns."""
