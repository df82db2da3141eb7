"""Search: the brains for hidden and open games, and the searches of the marshal."""
