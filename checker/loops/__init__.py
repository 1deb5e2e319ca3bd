"""Loops: the smallest sets of clauses that keep a turn going, each with a play of it.

Program, Scope --explore--> Graph --stretches--> moves between ends of turns, few classes of them
--minimal--> sets of clauses --leaving--> what keeps each up, and who can leave --progress--> those
that only grow --loops--> `FoundLoops`, each play made again
"""
