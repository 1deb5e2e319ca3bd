"""Mistakes in lines that the grammar refuses: what is wrong, in a rules designer's words, and what
to write.
"""
