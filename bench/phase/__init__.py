"""phase.rs, a Magic engine that runs here: games that are driven, recorded as logs.

cards.toml ──engine──▶ Game ──driving──▶ dumps ──recorder──▶ native events
"""
