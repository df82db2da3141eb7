"""Assaut: twenty-four soldiers against a fortress with two officers (A1 to A15)."""
