"""MIME: header fields, parts, charsets and limits of a message."""
