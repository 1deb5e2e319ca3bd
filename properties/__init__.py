"""What ought to hold: the formula language, its typing against a Program, the standard
catalogue.
"""
