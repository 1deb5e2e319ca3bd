"""What claims protect: a ruleset with one thing changed, again and again, and who notices.

Program --edits--> mutants --judge--> what breaks, or tells each from the original
--workers, survey--> what nothing protects
"""
