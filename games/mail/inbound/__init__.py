"""Ways in: LMTP/SMTP listener, IMAP polling, provider webhooks, the demo's reply form; checks."""
