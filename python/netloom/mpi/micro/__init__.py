"""Micro-benchmarks of this machine: what `calibrate --run` fits, and what `validate --run` compares with predictions."""
