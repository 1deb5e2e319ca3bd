"""Games: what players can enforce, over packed positions.

text (`emit.game`) --arena--> nodes and edges in arrays, each edge recorded once --solve--> who wins
from each node --plays--> a play
"""
