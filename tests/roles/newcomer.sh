netloom simulate -n 'fat_tree(radix=64,levels=2)' -c allreduce:rabenseifner --size 1MiB
