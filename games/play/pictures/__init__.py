"""Pictures of boards: drawings of the guide, small boards of lists, images for links, and films."""
