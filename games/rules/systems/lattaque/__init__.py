"""L'Attaque: thirty-six pieces a side, scouts, bombs and a spy (L1 to L11)."""
