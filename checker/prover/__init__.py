"""Proofs in processes of their own: what is asked, who does it, and what is kept.

    Verdicts --prover--> request --workers--> [worker: handler --> the symbolic engine] --> kept,
    and told a solver's play --concretise--> the same play on the reference interpreter

Begin with `prover`.
"""
