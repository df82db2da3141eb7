"""Text of a message: lines of its writer, without quotations and signatures."""
