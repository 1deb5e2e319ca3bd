"""Plays made again on the reference interpreter before anyone sees them.

    a trace --replay--> nothing, or ReplayError    a trace --codec--> plain numbers
    --codec--> the same trace

Begin with `replay`.
"""
