"""The explicit engine: every play within a scope, searched in packed words and compiled code.

    Program + Scope --layout--> where each field lies --emit--> a text in a subset of Python text
    --interpreted--> small searches    text --kernel, assembly, machine--> compiled code
    --compiled--> large ones

- `layout`: the bits of a position. A position is one word of 63 bits, or several.
- `moves`: what clauses do, as text. `hooks` says what is done with each move found; `dispatch`
  bounds how many there are.
- `emit`: the text for a group of formulas. Spotlights and the bits of their history are fields of
  the position like any other, so that a search for a counterexample is the same search.
- `native`: the text as machine code, the table of positions, the layers in blocks of memory,
  threads, and what is written to disk.
- `search`: from `interpreted` to `compiled`; `lasso` finds what can stay true for ever, by dropping
  all positions that are in no loop; `lift` goes from a play of sliced and turned positions back to
  a play of the game.
- `games`: what players can enforce; each edge, with who decides it, is recorded once in arrays, and
  the game is solved there.
- `estimate`: how many positions a search will find.
- `edit_engine`: the formulas of many edits of one Program, by what is known of the Program
  (`search.incremental`).
- `decide`, `engine`: formulas, on which slice of positions each is looked for (`checker.slicing`),
  and the protocol of engines; what a property asks of them is in `checker.questions`.
- `portable`: the game for another machine, as WebAssembly that tells and searches its positions.

To start reading: print ``emit(Layout(program, scope)).text`` for a small game, then `moves` and
`search`.
"""
