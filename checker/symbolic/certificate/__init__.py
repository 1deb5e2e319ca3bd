"""Proofs as files that others can check.

    Proof --certificate (heading)--> SMT-LIB --certify, second--> answers    a file --stated-->
    --recheck--> Proof made anew

Begin with `certificate`.
"""
