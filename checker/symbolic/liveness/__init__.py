"""Rankings: that what would have to go on for ever comes to an end.

    Program + progress property --progress--> System --termination--> ranking of measures,
    as few as will do --> Descent

Begin with `termination`.
"""
