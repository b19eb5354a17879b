"""Replay of long traces next to SMPI's."""
