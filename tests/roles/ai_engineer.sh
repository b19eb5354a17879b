netloom collectives -n 'rail_cluster(nodes=128)' -c allreduce --sizes 1GiB --algorithms 'allreduce:chained-trees,allreduce:blueconnect(128,8)'
