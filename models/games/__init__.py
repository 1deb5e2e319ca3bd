"""The seven games, as rulesets."""
