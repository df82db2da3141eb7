"""P13: what pages, tasks and admin lists cost among a million matches, against ten thousand."""
