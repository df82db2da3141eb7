"""Actions: what the commands of a message do, a file for each family of them."""
