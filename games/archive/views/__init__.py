"""The pages of the archive: what was played here, and the records that players bring along."""
