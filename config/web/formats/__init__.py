"""Date formats: one style for the site, in place of Django's own for each language."""
