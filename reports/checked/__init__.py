"""The page that `stacklaw check` prints of a ruleset: what is not met first, the cause before what
follows from it.

    Record ──▶ rows, ending ──▶ checked

`checked` sets the page and tells of each verdict in detail; `rows` is the table of verdicts,
`ending` what is told of the rulings beside the rules, and what comes last. `readings` is the page
of all readings.
"""
