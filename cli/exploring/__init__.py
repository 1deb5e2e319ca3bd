"""A page that is served on this machine, with the engines of `check` behind it.

`server` gives the page and says who may ask, `question` reads what is asked, `search` decides it in
a process that can be ended.
"""
