"""The page that `stacklaw check` prints of a ruleset: what is not met first, the cause before what follows from it.

    Record ──▶ rows, details, ending ──▶ checked

`checked` sets the page; `rows` is the table of verdicts, `details` what is told of one of them, `ending` what comes last.
"""
