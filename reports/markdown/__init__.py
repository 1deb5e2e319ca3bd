"""Markdown, for pull requests and summaries: Records, matrices and differences, in words that mean
nothing to Markdown (`inline`).
"""
