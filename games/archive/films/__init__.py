"""Films of open matches: asked for by somebody, made once by a worker, kept while there is room."""
