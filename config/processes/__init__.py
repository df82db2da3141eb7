"""Processes of the service: starting, listening, brokers, heartbeat and beat's fallback."""
