"""Benchmarks: the explicit engine against its peers."""
