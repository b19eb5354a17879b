netloom verify broadcast:line --plugin examples/line.py --ranks 48
netloom collectives --plugin examples/line.py -n 'torus(4,4,3)' -c broadcast --sizes 1MiB
