"""How well logs are judged: right ones, ones with a fault, those of an engine with an edit."""
