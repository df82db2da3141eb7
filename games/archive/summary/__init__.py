"""Summary of an open match: counts by move, key moments, the chart, and dossiers of pieces."""
