"""Searches beyond one machine: the positions are parted among shards, by bits of their hash that no
slot uses.

    task --distributed--> steps of shards, layer by layer --> the same counts, and the layers to
    walk back through

- `shard`: one part of the positions, with its own table and its part of every layer, what it sends,
  and how it accepts what others send, in memory or on disk; it runs wherever a crew puts it. Its
  text enters what is its own, and puts what is not into a row for each other one.
- `ray_crew`: the workers themselves, on Ray.
- `distributed`: what happens layer by layer, what it asks its crew of workers, wherever they are,
  and what happens when one is lost.

Begin with `distributed`.
"""
