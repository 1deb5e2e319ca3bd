"""What a formula means on a play: `evaluate` is the definition, `monitor` and `watch` say the same
step by step, as a search needs it.
"""
