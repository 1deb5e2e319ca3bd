"""Logs against rules: which plays explain what an engine has shown, and by which clause the rules
go on where none does.

    log ──events──▶ window ──search──▶ the positions that explain it
    showing: what a move shows; fitting: where a log is taken up again; monitor: window by window

Begin with `monitor`.
"""
