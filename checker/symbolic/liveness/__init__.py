"""Rankings: that what would have to go on for ever comes to an end.

    Program + progress property --progress--> System --termination--> ranking of measures
    --shorter--> Descent

Begin with `termination`.
"""
