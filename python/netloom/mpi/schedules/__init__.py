"""Schedules of the catalogue and of plug-ins, executed by a running MPI with real data, checked and timed."""
