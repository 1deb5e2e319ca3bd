"""Options of a ruleset: fixed by `configure`, told apart as `cases`, varied as readings, left
open as variables.
"""
