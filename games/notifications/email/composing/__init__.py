"""Composing e-mails: texts, HTML, subjects, headers and encoding."""
