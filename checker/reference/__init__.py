"""The meaning: an interpreter to be read in one sitting, and exhaustive search over it."""
