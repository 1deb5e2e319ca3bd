"""Terms of Z3, and what a question may cost."""
