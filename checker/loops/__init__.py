"""Loops: the smallest sets of clauses that keep a turn going, each with a play of it.

Program, Scope --explore--> Graph --progress--> moves between ends of turns, few classes of them,
and those that only grow --loops--> the smallest sets of clauses, what keeps each up, and who can
leave: `FoundLoops`, each play made again
"""
