"""What the rules mean: Program + scope --interpreter (statements, expressions)--> the moves of a
position --explore--> Graph.

To be read in one sitting. Begin with `interpreter`.
"""
