"""What a long run has to do with the system: signals, memory, checkpoints on disk, and
what a process beside it is asked.
"""
