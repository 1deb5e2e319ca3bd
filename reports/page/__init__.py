"""The page of a game: one file in which it can be read, played and asked, with the engine inside.

    Record + words + modules and tables --page--> HTML, with the scripts of this room in it

Begin with `page`; of the scripts, with `kernel.js`.
"""
