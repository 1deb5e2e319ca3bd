"""Output: pages on a terminal, files, notes and failures, and the code that a command ends with."""
