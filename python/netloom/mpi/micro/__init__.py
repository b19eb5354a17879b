"""Micro-benchmarks of this machine: what `calibrate --run` fits, what `validate --run` compares."""
