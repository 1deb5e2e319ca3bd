"""Plays: from a trace to a play as data, told by who decided what, with the reasons why it decides its question.

The chain is items (which item is which), reasons (why the last moment decides, with branches), explain (all of it, as a `Play`).
"""
