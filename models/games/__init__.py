"""The five games, as rulesets."""
