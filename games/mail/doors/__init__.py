"""Ways in: the listener, and the answer form of the demo's letters; commands are in management."""
