"""What the API sends and takes, as types with the names that the document gives them."""
