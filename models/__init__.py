"""The language and the games: text to Program."""
