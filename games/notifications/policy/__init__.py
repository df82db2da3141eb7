"""Notification policy: kinds, preferences, schedule, relevance, summaries, deliverability."""
