"""From the surface tree to the Program: names, types, and the ways through clauses."""
