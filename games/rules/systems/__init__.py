"""The games, a module or a package each. None imports another."""
