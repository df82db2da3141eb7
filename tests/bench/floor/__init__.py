"""What pages and moves are compared with: the least that Django can do for the same."""

CLIENTS = 4  # that send moves at once

# Among the many matches of `make_crowd`:
SHOWN = 50  # running ones of one player
DUE = 100  # deadlines, reminders and e-mails, of each
