"""The meaning, and exhaustive search over it: the oracle of the other engines.

semantics: Program --> Graph    formulas: Property --> what to watch    engine (lasso) --> Decision
"""
