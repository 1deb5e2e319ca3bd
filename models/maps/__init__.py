"""Maps of the logs of Magic engines: MTG Arena and phase.rs."""
