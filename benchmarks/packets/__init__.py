"""Speed of the packet engines against the size of the network."""
