"""Asking: from the options of a command line, over the questions that they name, to the record of
what the checker says.
"""
