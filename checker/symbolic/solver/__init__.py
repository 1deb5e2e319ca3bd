"""Terms of Z3, and what its solvers spend."""
