netloom compare 'fat_tree(radix=64,levels=2)' 'dragonfly(a=16,p=8,h=8,g=8)' 'torus(8,8,16)' -c allreduce:rabenseifner --size 1MiB --no-spread
