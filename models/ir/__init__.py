"""The Program: a ruleset after binding, typing and lowering. What every engine reads.

Names are resolved, terms and routines are inlined, sugar is gone, and every node means one thing.
The invariants a Program keeps are named checks in `wellformed`. Its meaning is the reference
interpreter (`stacklaw.checker.reference`).

Values: a flag is a bool, a number an int, an enum value its name, a player its seat (from 0, in
turn order; seat 0 starts), nobody is None, and a set of players an int whose bit *p* stands for
seat *p*.
"""

from .program import *
from .traverse import children as children
from .traverse import rewrite as rewrite
from .traverse import walk as walk
