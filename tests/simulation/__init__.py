"""The service in one process, with its clock, chance, mail server, broker and faults in our hands.

One number decides everything that happens; the same number makes the same transcript to the byte.
"""
