"""The whole text of a search: the moves, and what formulas watch.

    Program + Group --emit--> moves + watched (monitor, enabled) --> Emitted

Begin with `emit`.
"""
