"""Processes messages: parse, authenticate the sender, carry out the commands, send a receipt."""
