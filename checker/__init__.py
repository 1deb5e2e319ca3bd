"""Does it hold? The engines behind one protocol, verdicts and traces."""
