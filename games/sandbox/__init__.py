"""Limited child processes: text in, text out, and nothing of ours within their reach."""
