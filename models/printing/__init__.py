"""From a surface tree to its text: the formatter."""
