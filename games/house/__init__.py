"""House opponents in matches: their accounts, their seats, what they answer and when."""
