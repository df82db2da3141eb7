"""Bitboards: sets of cells as the bits of an integer."""

from collections.abc import Iterator


def single_bits(mask: int) -> Iterator[int]:
    """The single bits of a mask, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def cells_of(mask: int) -> Iterator[int]:
    """The cells of a mask, lowest first."""
    for bit in single_bits(mask):
        yield bit.bit_length() - 1
