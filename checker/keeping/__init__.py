"""Keeping an answer: the formula that it stands for, as a claim beside the rules.

RulingAnswer ─describing─▶ what is so in its situation ─claims─▶ a claim that says as little of it
as `check` can do with
"""
