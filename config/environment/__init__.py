"""Environment: settings read from environment variables, and the checks that refuse unsafe ones."""
