"""Web: middleware, cache, template helpers, error pages, static files and date formats."""
