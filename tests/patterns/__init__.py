"""Regular expressions: every pattern of the service takes time linear in its text."""
