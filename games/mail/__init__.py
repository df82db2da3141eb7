"""Play by mail: messages taken in, read, acted on and answered."""
