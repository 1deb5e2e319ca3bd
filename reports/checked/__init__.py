"""The page that `stacklaw check` prints of a ruleset: what is not met first, the cause before what
follows from it.

    Record ──▶ rows, details, ending ──▶ checked

`checked` sets the page; `rows` is the table of verdicts, `details` what is told of one of them,
`rulings` what is told of those beside the rules, `ending` what comes last. `readings` is the page
of all readings.
"""
