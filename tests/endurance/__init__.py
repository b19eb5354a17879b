"""Campaigns of minutes to an hour: kills, interrupts and changed bits, with counts."""
