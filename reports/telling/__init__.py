"""From verdicts to the Record: all that is told of a run, as plain data. Only this room asks the checker anything.

    Verdict --explain (reasons, decisions, items)--> Play --record--> Record

Begin with `record`.
"""
