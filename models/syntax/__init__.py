"""The surface syntax: a text as written, names not yet bound and types not yet known.

`parse` makes it, `format` prints it, `bind` reads it. Every node carries the span it came from,
which takes no part in comparisons: two texts that read alike have equal trees.
"""

from .declarations import *
