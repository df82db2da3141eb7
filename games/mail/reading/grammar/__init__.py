"""Grammar of the commands: a command fills its line, everything else is prose."""
