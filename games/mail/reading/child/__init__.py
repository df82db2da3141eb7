"""Parses messages in a child process with limits on CPU, memory and files."""
