"""From verdicts to the Record: all that is told of a run, as plain data. This room and `plays` ask
the checker; no other does.

    Verdict --explain (plays)--> Play --record--> Record

Begin with `record`.
"""
