"""Arena: plays matches of programs over the protocol, and measures strength and cost."""
