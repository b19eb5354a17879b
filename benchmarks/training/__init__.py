"""Predicted training steps next to measured ones."""
