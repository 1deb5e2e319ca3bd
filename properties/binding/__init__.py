"""From the formula as written to the Property: each operator, phrase and idiom with its type,
against the Program.

Begin with `type`.
"""
