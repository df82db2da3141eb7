"""The service in one process, with simulated clock, chance, mail server, broker and faults.

One number decides everything that happens; the same number makes the same transcript, byte by byte.
"""
