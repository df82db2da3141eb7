"""Date formats: one style in all languages, instead of Django's own formats."""
