"""What every request of the API passes: token, limits, body, errors, ETags."""
