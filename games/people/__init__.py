"""People among each other: blocks, reliability, bars and caps, reports."""
