"""Brain of Assaut, a game without secrets: alpha-beta on bitboards."""
