"""The smallest size at which a property fails.

    a failing verdict --search--> the smallest scope --annotate--> the verdict with it, and a bound
    from the prover

Begin with `search`.
"""
