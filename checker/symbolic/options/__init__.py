"""For which values of options a property holds: one query with the options left open."""
