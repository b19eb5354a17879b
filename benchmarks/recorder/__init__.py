"""What the recorder costs a call."""
