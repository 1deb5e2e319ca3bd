"""The games, as rulesets."""
