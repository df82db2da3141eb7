"""Arena: matches of programs over the protocol, refereed here, counted and timed."""
