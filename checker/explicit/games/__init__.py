"""Games: what players can enforce, over packed positions.

text (`emit.game`) --kernel--> nodes and edges in arrays, each edge recorded once --solve--> who
wins from each node --lift--> a play
"""
