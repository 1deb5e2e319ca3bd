"""Proofs as files that others can check.

    Proof --certificate--> SMT-LIB --certify, second--> answers    a file --stated-->
    --recheck--> Proof made anew

Begin with `certificate`.
"""
