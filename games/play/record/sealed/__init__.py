"""What is stored sealed in a match: the cipher's contexts, drafts and notebooks."""
