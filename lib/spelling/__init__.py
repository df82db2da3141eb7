"""Spelling: what people type, paste or send is normalized in one way for every room."""
