"""What netloom costs and how good its answers are, beside what people use today.

`python -m benchmarks.speed` compares times and memory with peers as ratios; `python -m benchmarks.quality` compares
mappings with the numbers of the papers and with bounds. Both are programs, not tests: a slow machine fails nothing.
"""
