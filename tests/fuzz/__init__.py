"""Mutated inputs for every reader and grammar, through the command line: `make fuzz`."""
