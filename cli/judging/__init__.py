"""What an editor tells of a text, whichever editor it is: `mistakes` in it, the `outcomes` of its
claims and rulings.

`background` looks at them, in a process that comes last.
"""
