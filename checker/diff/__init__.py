"""What an edit changes: two rulesets, or two readings of one, side by side.

two Programs, one scope --renaming, observer--> observations of both --behaviour--> what only one
side can do --diff--> Traces
"""
