"""Scenarios: a few plays of a game that bring about all that an engine can get wrong, for those who
write one.

    Graph --suite--> what each move brings about, and a few plays --steps--> Scenarios
    Scenarios + a Driver --played--> where an engine does otherwise

Begin with `suite`.
"""
