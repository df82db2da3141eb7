"""Personal data: what a person exports, as a file too, and accounts that close later."""
