"""Web push: notifications on a person's devices."""
