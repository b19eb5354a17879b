"""What a program sends: a library in front of MPI counts it, its files are read and told."""
