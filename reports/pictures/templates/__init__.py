"""Templates of the pages and pictures."""
