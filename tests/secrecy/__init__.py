"""Noninterference: what nobody may know of the other side changes no byte that they receive."""
