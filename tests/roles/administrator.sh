netloom loads -n 'fat_tree(radix=64,levels=2)' --jobs examples/site/jobs.txt --first-node 1 -t 'unstructured-mesh(bytes="64 KiB")'
