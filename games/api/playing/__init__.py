"""Operations that act: each calls the command that a page calls, and returns what came of it."""
