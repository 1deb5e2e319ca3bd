"""The edits that people make by mistake, and additions: from a ruleset to each ruleset that one of
them makes of it.
"""
