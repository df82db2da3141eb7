"""Players' clocks: running and paused clocks, rest, vacations, outages, the circuit breaker."""
