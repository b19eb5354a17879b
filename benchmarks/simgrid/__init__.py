"""Simulated time beside SimGrid: CPU seconds and peak memory of whole processes, in one run."""
