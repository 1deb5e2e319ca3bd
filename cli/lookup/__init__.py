"""Commands that look something up or write it otherwise: nothing is searched or proved.

arguments ──▶ catalogue, tables of codes, texts ──▶ a page, or the file in the standard layout
"""
