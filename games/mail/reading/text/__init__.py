"""Text of a message: the lines that its sender wrote, without quotations and signatures."""
