"""From a text to its surface tree, with every mistake in it."""
