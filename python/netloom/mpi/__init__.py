"""netloom on a running MPI."""
