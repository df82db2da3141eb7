"""Running matches: their record, clocks, commands and pages."""
