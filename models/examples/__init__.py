"""Examples: the core of well-known games, each as a small ruleset in words of its own."""
