"""The explicit engine: positions packed into machine words, and the Program as text that runs on them."""
