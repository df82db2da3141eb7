"""The brain of Assaut, where nothing is hidden: alpha-beta on a compact board."""
