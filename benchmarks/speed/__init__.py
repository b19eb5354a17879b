"""Times and memory beside the peers, on the same inputs, in one run, on one core."""
