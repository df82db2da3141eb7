"""Grammar of the commands: a command fills a whole line; everything else is prose."""
