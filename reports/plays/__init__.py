"""Plays: from a trace to a play as data, told by who decided what, with the reasons why it decides
its question.

    Trace --> AnnotatedTrace --reasons, grounds, windows--> Play (explain) --passages-->
    what is told in one line

Only the reference interpreter says what is true when; `origins` names the moves that made it so.
"""
