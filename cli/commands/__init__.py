"""The commands: one file each, whose `command` the main command finds by its name."""
