"""The editor's side: a language server, each of whose answers is a view on what the parser, the
binder, the lookups and the checker know.

files in the editor ──▶ texts ──▶ names ──▶ a feature ──▶ server
"""
