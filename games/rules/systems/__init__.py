"""The rule systems, a file each. None of them knows another."""
