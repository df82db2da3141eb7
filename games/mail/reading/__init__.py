"""Message reader: parses the bytes of an e-mail into commands.

Pure functions: no framework, clock, network or database. The callers decide who wrote the message
and whether its commands are carried out.
"""
