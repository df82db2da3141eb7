"""Operations that read: each a function of a request that returns what its reader may see."""
