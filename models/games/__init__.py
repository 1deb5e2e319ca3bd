"""The six games, as rulesets."""
