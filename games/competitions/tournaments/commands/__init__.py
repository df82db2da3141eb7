"""Everything that changes a tournament; each command and each step is one transaction."""
