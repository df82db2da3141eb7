"""The JSON API for programs: the gate before it, its resources, its document and reference page."""
