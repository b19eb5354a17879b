"""Link loads of 8.8 million ranks, as the command that people type."""
