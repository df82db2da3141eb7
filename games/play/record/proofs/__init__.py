"""Proofs of matches: signed heads, bundles that anybody may check, and receipts of players."""
