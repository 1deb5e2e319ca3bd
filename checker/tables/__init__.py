"""Tables: a strategy that wins a solved game as rows of conditions, of the coalition or of the
others.

    Arena, Solution ──search──▶ rows ──playback──▶ checked ──(enforcing)──▶ StrategyTable
                                      └──guarded──▶ GuardedGame, to be proved for every size

Begin with `conditions` (what a row says, and when), then `search`.
"""
