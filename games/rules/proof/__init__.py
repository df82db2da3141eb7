"""Proofs of matches: seals, the hash chain, the deal, bundles, and the program that checks them."""
