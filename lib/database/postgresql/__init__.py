"""Django's database backend for PostgreSQL, made cheaper for the connections of web servers."""
