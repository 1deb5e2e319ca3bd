"""What a long run has to do with the system: signals, memory, and checkpoints on disk."""
