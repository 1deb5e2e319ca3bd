"""Rulings in words: as data (`told`), and as a page of text (`text`)."""
