"""The explicit engine: every play within a scope, searched in packed words and compiled code.

    Program + Scope --layout--> where each field lies --emit--> a text in a subset of Python
    text --interpreted--> small searches    text --kernel, assembly, machine--> compiled code --compiled--> large ones

- `slicing` (with `flow`): which parts of a position what is looked for depends on, as a `slice`; `residue` is what that leaves of a clause.
- `layout` (with `sorts`, `format`): the bits of a position. A position is one word of 63 bits, or several.
- `emit`: the text. `moves`, `statements`, `zones`, `values` write what clauses do, from point to point (`here`, `rest`, `text`); `modes`
  says what is done with each move found; `ways` bounds how many there are; `dispatch` goes from a stage to its clauses.
- `groups`: which formulas share a text, and which a search; `looking`: on which slice of positions, and whether turned.
- `watched` with `conditions`, `monitor` (a formula about the past) and `steps` (many formulas about one move), all with `enabled`: the text
  for a group. Spotlights and the monitor's bits are fields of the position like any other, so that a search for a counterexample is
  the same search.
- `symmetry`: why rules that name no seat can be searched with the active player always in seat 0; `turning`: the text that turns a
  position so. `lift`: from a play of sliced and turned positions back to a play of the game.
- `search`: breadth-first in layers, from `interpreted` to `compiled`; `machine` keeps compiled code, `loading` loads it, `texts` keeps
  what was emitted. Of the compiled tier: a `crew` of
  threads, each with a `hand` of its own, the `table` of positions, the `layers` in blocks of `memory`, all of it asked for first; the
  `log` on disk, the `journal` from which a search goes on, and what a `finished` one has found (`pause`: Ctrl-C waits until one can).
- `forever`: whether a formula can stay true for ever, by dropping all positions that are in no loop.
- `estimate` (with `strata`, `growth`): how many positions a search will find, from small scopes and before it starts.
- `decide`, `engine`: formulas, and the protocol of engines; what a property asks of them is in `checker.questions`.

To start reading: print ``emit(Layout(program, scope)).text`` for a small game, then `moves` and `search`.
"""
