"""How many positions a search will find, from samples of small scopes and before it starts."""
