"""What must follow once its cause has committed: outbox, carrier, and the clock they go by."""
