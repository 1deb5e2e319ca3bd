"""Plays made again on the reference interpreter before anyone sees them.

    a trace --replay, for_ever, growth--> nothing, or ReplayError    a solver's model --concretise--> a trace <--codec--> plain numbers

Begin with `replay`.
"""
