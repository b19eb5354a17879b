"""Another order of the ranks of MPI_COMM_WORLD: for a program that knows nothing of it, or by one line."""
