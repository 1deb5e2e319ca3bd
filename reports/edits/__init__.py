"""Edits told: two rulesets side by side, the mutants of one, its repairs; each as text, Markdown,
JSON or a page.
"""
