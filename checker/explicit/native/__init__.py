"""The text as machine code, and what a search in it needs.

    Emitted --kernel--> source --assembly--> LLVM --machine--> functions    `table`, `layers`,
    `memory`; on disk `layers`, `journal`

Begin with `kernel`.
"""
