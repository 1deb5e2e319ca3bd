"""The symbolic engine: what holds for every number of players and every zone size, proved with Z3.

    Program + Property --encode--> System --horn--> an invariant --obligations--> Proof --certify--> a file

Start with `system` (what is asked of Z3) and `encode` (how a Program becomes that); `weakenings` says what
the encoding forgets, and why nothing true of it can be false of the rules.
"""
