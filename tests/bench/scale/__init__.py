"""P13: cost of pages, tasks and admin lists with a million matches, compared with ten thousand."""
