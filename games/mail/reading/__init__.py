"""Reader of messages: from the bytes of a mail to the commands in it.

Pure: no framework, no clock, no network, no database. Whose message it is and what may be done
about it, others decide.
"""
