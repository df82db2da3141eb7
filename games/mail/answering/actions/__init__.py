"""Handlers of the commands of a message, one module per group of commands."""
