"""What engines tell each other: positions, traces, scopes, budgets, verdicts, and the protocol of
an engine.
"""
