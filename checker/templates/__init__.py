"""Templates: claims of at most three atoms, in a game's own words, that tell a ruleset from an edit
of it.

Program --atoms--> its vocabulary --moments--> what is true together, in a Graph of each --cubes-->
what only one has --templates--> claims
"""
