"""Answering: one message is read, its sender judged, its commands done, its receipt written."""
