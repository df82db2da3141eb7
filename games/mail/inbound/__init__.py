"""Ways in: the listener, and the answer form of the demo's e-mails; commands are in management."""
