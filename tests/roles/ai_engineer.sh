netloom collectives -n 'rail_cluster(nodes=128)' -c allreduce --sizes 64MiB --algorithms 'allreduce:ring,allreduce:double-tree,allreduce:blueconnect(128,8)'
