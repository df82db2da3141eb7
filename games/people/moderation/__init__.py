"""Reports of what players wrote, the decisions of moderators, and answers to them."""
