"""What claims protect: a ruleset with one thing changed, again and again, and who notices.

Program --edits--> mutants --alike, judge--> what breaks, or what tells each from the original --workers, survey--> what nothing protects
"""
