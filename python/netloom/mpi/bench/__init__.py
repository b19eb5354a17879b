"""The micro-benchmark of section 4.1.1 of Swartvagher 2023: communicators of reordered ranks, in windows of time."""
