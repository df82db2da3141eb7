"""Reading in a limited child process."""
