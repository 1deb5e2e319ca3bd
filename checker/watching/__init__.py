"""What it takes to watch a formula: one plan, pure data, which both engines fold, the explicit one
to text, the symbolic one to terms.

    formula --plan--> Plan: marks of events, bits of the past with their updates, what makes it
    true, when it never will be

The reference has a monitor of its own, and is what both are held against.
"""
