"""Drafts and notebooks, stored sealed, and the sealing of everything that holds ranks."""
