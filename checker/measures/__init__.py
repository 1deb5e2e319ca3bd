"""Measures: how many passes, windows and moves there are at least and at most, each with a play
that shows it.

    Graph --measures--> states of an item on the stack --ways--> the least and the most of all ways
    --measures--> `FoundMeasures`
                                                                    recount: each play counted
                                                                    again, by itself
    FoundMeasures, of other numbers of players too --bounds, candidates--> formulas in the number of
    players --prover--> proved, or why not
    positions --sizes--> how many are left without each part of the game

Begin with `measures`.
"""
