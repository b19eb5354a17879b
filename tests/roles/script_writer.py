import netloom

answer = netloom.simulate("fat_tree(radix=64,levels=2)", workload="allreduce:rabenseifner", size_bytes="1 MiB")
print(answer["time_s"])
