"""The symbolic engine: what holds for every number of players and every zone size, proved with Z3.

    Program + Property --encode--> System --suggest--> an invariant --obligations--> Proof
    --certificate--> a file

- `solver`: terms of Z3, and what its solvers spend. `position`: a position of any size as terms.
- `encoding`: Program and question to `system` (what is asked of Z3). `position.weakenings` says
  what the encoding forgets, and why nothing true of it can be false of the rules.
- `safety`, `liveness`: invariants and rankings. `bmc`: shortest plays. `options`: for which values.
- `certificate`: proofs as files. `explain`: proofs in words.

Start with `encoding.system` and `encoding.encode`; `prove` is the chain.
"""
