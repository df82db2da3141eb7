"""Players' clocks: running and paused ones, rest, vacations, outages, the time-out breaker."""
