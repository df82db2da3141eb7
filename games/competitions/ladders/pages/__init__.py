"""The pages of ladders: public tables and logs, what players do there, the admin."""
