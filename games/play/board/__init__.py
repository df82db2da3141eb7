"""The board of a page: drawn, with what may be done on it and the lists beside it."""
