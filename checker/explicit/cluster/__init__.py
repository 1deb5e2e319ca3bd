"""Searches beyond one machine: the positions are parted among shards, by bits of their hash that no
slot uses.

    task --distributed--> steps of shards, layer by layer --> the same counts, and the layers to
    walk back through

- `shard`: one part of the positions, with its own table and its part of every layer, what it sends,
  and how it accepts what others send, in memory or on disk; it runs on the worker that a crew gives
  it. Its text enters its own positions and puts each other one into the row of its shard.
- `ray_crew`: the workers themselves, on Ray.
- `distributed`: what happens layer by layer, what it asks its crew of workers on any machine, and
  what happens when one is lost.

Begin with `distributed`.
"""
