# ruff: noqa: E501 - a row is a line
"""What a hint proposes works: the input that causes the fault, and the same with the hint applied.

Every hint of the sources that proposes an option, a call or a command has a row here, or a reason why it has none.
"""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest

from netloom.cli.app import main

from ..cli.design_cases import FILES as PARTS
from ..cli.design_cases import cable, parts, switch
from ..cli.extrapolate_cases import RECORDED
from ..cli.learn_cases import FILES as SAMPLES
from ..cli.whatif_cases import FILES as ASKED_FILES

ROOT = Path(__file__).parents[2]
#: An option, an argument, something in backquotes, a command, a call.
CONCRETE = re.compile(r"--[a-z]|\b\w+=|`[^`]+`|netloom \w+|\w+\([^)]*\)|pip install|\((?:-\w)\)")

TREES = (
    'title = "One"\n[[experiment]]\nname = "a"\nevaluate = "time"\n[experiment.axes]\n{}network = ["ring(16)", "ring(32)"]\n'
    'workload = ["shift(k=1)"]\n[experiment.performance]\nbaseline = {{ network = "ring(16)" }}\n'
)
FILES = {
    **RECORDED,
    **SAMPLES,
    **ASKED_FILES,
    **PARTS,
    "unpowered.toml": parts(switch(16, 1000.0, watts=0.0), cable("copper", 100.0)),
    "topology.conf": "SwitchName=s0 Nodes=n[0-3]\nSwitchName=s1 Nodes=n[4-7]\nSwitchName=t Switches=s[0-1]\n",
    "empty.json": '{"items": []}',
    "named.txt": "x1\nx2\n",
    "ranks.txt": "rank 0=n1 slot=1\nrank 1=n1 slot=0\n",
    "jobs.txt": "a n[0-3]\n",
    "study.toml": 'title = "One"\n[[experiment]]\nname = "a"\nevaluate = "hops"\n[experiment.axes]\n'
    'network = ["ring(4)", "ring(8)"]\nworkload = ["alltoall:bruck"]\n',
    "trees.toml": TREES.format(""),
    "alike.toml": TREES.format("ranks = 16\n"),
    "tables.csv": "",
    "bare.toml": 'title = "none"\n',
    "pairs.txt": "# GB/s\n" + 4 * "20 20 20 20\n",
    "times.csv": "collective,algorithm,nodes,ranks_per_node,bytes,time_s\nallreduce,ring,8,1,64,2e-5\n",
    "pingpong.txt": "# OSU MPI Latency Test\n# Size          Latency (us)\n1 1.5\n64 1.6\n4096 3.0\n65536 9.0\n1048576 90.0\n",
}
BRUCK = "-c alltoall:bruck"
GRAPH = "'random_regular(16,degree=3)'"
#: Words of the hint, the command that is refused with it, and the same command as the hint has it.
ROWS = [
    # Arguments.
    ("write name(value, key=value)", "describe 'torus(4,4'", "describe 'torus(4,4)'"),
    ("say which: ", "hops -n 'torus(4,4)' -c alltoall", "hops -n 'torus(4,4)' -c alltoall:pairwise"),
    ("netloom list collectives", "hops -n 'torus(4,4)' -c alltoall", "list collectives"),
    ("netloom list collectives", "collectives -n 'ring(4)' --algorithms allgather:ring", "list collectives"),
    ("give --library NAME", "simulate -n 'ring(4)' -c allreduce:default", "simulate -n 'ring(4)' -c allreduce:default --library mpich"),
    ("name an algorithm, such as barrier:dissemination; netloom list barrier has all", "simulate -n 'ring(4)' -c barrier:default --library nccl", "list barrier"),
    ("for example --collective", "simulate -n 'ring(4)'", "simulate -n 'ring(4)' --collective allreduce:ring"),
    ("or --traffic 'uniform(seed=1)'", "hops -n 'ring(4)'", "hops -n 'ring(4)' --traffic 'uniform(seed=1)'"),
    ("for example --fail link:0-1", f"hops -n 'ring(4)' {BRUCK} --fail ''", f"loads -n 'ring(4)' {BRUCK} --fail link:0-1"),
    ("or --fail switch:3", f"hops -n 'ring(4)' {BRUCK} --fail ''", f"hops -n 'ring(4)' {BRUCK} --fail switch:3 --ranks 3"),
    ("--ranks 16 gives all the same work; netloom size lists sizes",
     "compare 'torus(4,4)' 'ring(17)' -t 'shift(k=1)' --baseline 'torus(4,4)' --no-spread",
     "compare 'torus(4,4)' 'ring(17)' -t 'shift(k=1)' --baseline 'torus(4,4)' --no-spread --ranks 16"),
    ("name one of the networks as the baseline, such as torus(4,4)",
     "compare 'torus(4,4)' 'ring(16)' -t 'shift(k=1)' --weight 'shift(k=1)=2' --no-spread",
     "compare 'torus(4,4)' 'ring(16)' -t 'shift(k=1)' --weight 'shift(k=1)=2' --no-spread --baseline 'torus(4,4)'"),
    ("give all the same ranks, or sizes that netloom size FAMILY --endpoints N lists", "run trees.toml -o made -q",
     "size thin_tree --endpoints 64"),
    ("give all the same ranks, or sizes that netloom size FAMILY --endpoints N lists", "run trees.toml -o made -q",
     "run alike.toml -o made -q"),
    ("give one of them", "compare 'ring(4)' -t 'shift(k=1)' --baseline 'ring(4)' --weight 'shift(k=1)=2' --weight 'shift(k=1)=3' --no-spread",
     "compare 'ring(4)' -t 'shift(k=1)' --baseline 'ring(4)' --weight 'shift(k=1)=2' --no-spread"),
    ("leave one of them out", "describe 'ring(4)' --model unit --no-cost", "describe 'ring(4)' --model unit"),
    ("leave it out, or ask for a dragonfly", "size torus --endpoints 64 --proportions 1:3:2", "size torus --endpoints 64"),
    ("leave it out, or ask for a dragonfly", "size torus --endpoints 64 --proportions 1:3:2", "size dragonfly --endpoints 64 --proportions 1:3:2"),
    ("give --jobs FILE", f"loads -n 'ring(4)' {BRUCK} --first-node 1", "loads -n 'ring(8)' -t uniform --jobs jobs.txt"),
    ("for example --job 'mesh: stencil(8,8)'", "simulate -n 'torus(8,8)' --job ''",
     "simulate -n 'torus(8,8)' --job 'mesh: stencil(8,8)'"),
    ("--job 'noise=25%: uniform'", "simulate -n 'torus(4,4)' --job ''", "simulate -n 'torus(4,4)' --job 'noise=25%: uniform(messages=100)'"),
    ('write the bytes of a message into the call: stencil(2,4,bytes="64 KiB")', "loads -n 'star(8)' -t 'stencil(2,4)' --size 4",
     "loads -n 'star(8)' -t 'stencil(2,4,bytes=\"64 KiB\")'"),
    ("add --model packet", f"simulate -n 'ring(4)' {BRUCK} --links 3", f"simulate -n 'ring(4)' {BRUCK} --links 3 --model packet"),
    ("leave --job and --jobs out", "simulate -n 'ring(4)' --job 'a: alltoall:bruck' --write-trace made",
     f"simulate -n 'ring(4)' {BRUCK} --write-trace made"),
    ("or give --long", "verify allreduce:ring --ranks 131072", None),
    ("for example --option hottest=10", "evaluate ring.toml --evaluator loads --option hottest",
     "evaluate ring.toml --evaluator loads --option hottest=10"),
    # Networks and files.
    ("a call such as torus(4,4) goes without a format (--from)", f"hops -n 'torus(4,4)' --from simgrid {BRUCK}", f"hops -n 'torus(4,4)' {BRUCK}"),
    ("name a network format of netloom list formats", "convert 'ring(4)' made", "list formats"),
    ("name a network format of netloom list formats", "convert 'ring(4)' made", "convert 'ring(4)' made.graphml"),
    ("the plugin ring holds it: write slurm(shape=ring)", "convert 'ring(8)' made.conf", "convert 'ring(8)' made.conf --to 'slurm(shape=ring)'"),
    ("or slurm-yaml(shape=ring)", "convert 'ring(8)' made.conf", "convert 'ring(8)' made.yaml --to 'slurm-yaml(shape=ring)'"),
    ("write slurm-yaml(shape=torus3d)", "convert 'torus(4,4,4)' made.conf", "convert 'torus(4,4,4)' made.yaml --to 'slurm-yaml(shape=torus3d)'"),
    ("write graphml or simgrid", "convert 'torus(4,4)' made.conf", "convert 'torus(4,4)' made.xml --to simgrid"),
    ("give more with --memory", "describe 'torus(64,64)' --memory 1kB", "describe 'torus(64,64)' --memory 1GiB"),
    ('If the file names hosts otherwise than the network, read it with host_pattern="x{0}"',
     f"hops -n topology.conf {BRUCK} --mapping named.txt --mapping-format hostfile",
     f"hops -n topology.conf {BRUCK} --mapping named.txt --mapping-format 'hostfile(host_pattern=\"x{{0}}\")'"),
    ("leave slots out, and give the cores: cores=2 (--cores 2)",
     f"hops -n topology.conf {BRUCK} --mapping ranks.txt --mapping-format 'rankfile(slots=2)'",
     f"hops -n topology.conf {BRUCK} --mapping ranks.txt --mapping-format rankfile --cores 2"),
    ("more ranks on a host need more cores", f"hops -n topology.conf {BRUCK} --mapping ranks.txt", f"hops -n topology.conf {BRUCK} --mapping ranks.txt --cores 2"),
    # Placements and mappings.
    ("use at most 16 ranks, a larger network, or several ranks on an endpoint: cores=3 (--cores 3)", f"hops -n 'torus(4,4)' {BRUCK} --ranks 40", f"hops -n 'torus(4,4)' {BRUCK} --ranks 40 --cores 3"),
    ("cores=3 (--cores) puts more ranks on an endpoint", f"hops -n 'torus(4,4)' {BRUCK} --ranks 40 --cores 2", f"hops -n 'torus(4,4)' {BRUCK} --ranks 40 --cores 3"),
    ("cores=2 (--cores) puts several ranks on an endpoint", f"hops -n 'torus(4,4)' {BRUCK} --ranks 16 --fail switch:3", f"hops -n 'torus(4,4)' {BRUCK} --ranks 16 --fail switch:3 --cores 2"),
    ("use ring(along=numbers)", f"hops -n 'star(8)' {BRUCK} -p ring", f"hops -n 'star(8)' {BRUCK} -p 'ring(along=numbers)'"),
    ("use circulant(n, pow2)", f"hops -n 'torus(4,4)' {BRUCK} -p circulant", f"hops -n 'circulant(16,pow2)' {BRUCK} -p circulant"),
    ("give --emit, such as --emit rankfile", f"map -n 'ring(4)' {BRUCK} -q -o made", f"map -n 'ring(4)' {BRUCK} -q -o made --emit rankfile"),
    ("see netloom list formats", f"map -n 'ring(4)' {BRUCK} -q --emit ''", "list formats"),
    ("leave --optimise and --objective out", f"map -n 'ring(4)' {BRUCK} -q --objective hops --take 'as given'", f"map -n 'ring(4)' {BRUCK} -q --take 'as given'"),
    ("leave --objective out, or name an optimiser", f"map -n 'ring(4)' {BRUCK} -q --objective hops --optimise best", f"map -n 'ring(4)' {BRUCK} -q --optimise best"),
    ("or name an optimiser that searches for it", f"map -n 'ring(4)' {BRUCK} -q --objective hops --optimise best", f"map -n 'ring(4)' {BRUCK} -q --objective hops --optimise two-opt"),
    ("give --jobs FILE and --nodes N", f"map -n topology.conf {BRUCK} -q --others uniform", f"map -n topology.conf {BRUCK} --jobs jobs.txt --nodes 2 --others uniform"),
    ("use contentions(over=workload)", "map -n 'torus(4,4)' -t 'stencil(4,4)' -q --objective contentions", "map -n 'torus(4,4)' -t 'stencil(4,4)' -q --objective 'contentions(over=workload)'"),
    ("or the objective max-link-load", "map -n 'torus(4,4)' -t 'stencil(4,4)' -q --objective contentions", "map -n 'torus(4,4)' -t 'stencil(4,4)' -q --objective max-link-load"),
    ("give --cores and --order", "enumerate 2,2,4 --mapping made.csv", "enumerate 2,2,4 --cores 4 --order 2,1,0 --mapping made.csv"),
    ("`netloom enumerate LEVELS --cores N --order ORDER --mapping FILE`", "hops -n 'torus(4,4)' -t 'stencil(4,4)' --order 'mixed-radix(1,0,levels=[4,2])'",
     "enumerate 4,4 --cores 4 --order 1,0 --mapping made.csv"),
    # Routings.
    ("use `minimal` or `up-down`", f"loads -n {GRAPH} {BRUCK} -r dimension-ordered", f"loads -n {GRAPH} {BRUCK} -r minimal"),
    ("or `up-down`", f"loads -n {GRAPH} {BRUCK} -r dimension-ordered", f"loads -n {GRAPH} {BRUCK} -r up-down"),
    ("use `single-minimal(tie=destination)`", "convert 'torus(4,4)' made.csv -r minimal", "convert 'torus(4,4)' made.csv -r 'single-minimal(tie=destination)'"),
    ("or `d-mod-k` on trees", "convert 'fat_tree(radix=4,levels=2)' made.csv -r minimal", "convert 'fat_tree(radix=4,levels=2)' made.csv -r d-mod-k"),
    ("use `single-minimal(tie=destination)`", f"loads -n 'hypercube(8)' {BRUCK} -r minimal", f"loads -n 'hypercube(8)' {BRUCK} -r 'single-minimal(tie=destination)'"),
    ("on grids `dimension-ordered`", f"loads -n 'hypercube(8)' {BRUCK} -r minimal", f"loads -n 'hypercube(8)' {BRUCK} -r dimension-ordered"),
    ("use `destination-tag`", f"loads -n 'butterfly(2,3)' {BRUCK} -r minimal", f"loads -n 'butterfly(2,3)' {BRUCK} -r destination-tag"),
    ("or use `minimal`", f"loads -n 'ring(4)' {BRUCK} -r destination-tag", f"loads -n 'ring(4)' {BRUCK} -r minimal"),
    ("or raise `limit`", f"loads -n 'hypercube(8)' {BRUCK} -r minimal", f"loads -n 'hypercube(8)' {BRUCK} -r 'minimal(limit=50000)'"),
    ('write tables("file.csv")', f"loads -n 'ring(4)' {BRUCK} -r tables", f"loads -n 'ring(4)' {BRUCK} -r 'tables(\"tables.csv\")'"),
    # Collectives.
    ("use partner=shift", "verify 'alltoall:pairwise(partner=xor)' --ranks 6", "verify 'alltoall:pairwise(partner=shift)' --ranks 6"),
    ("or leave it to auto", "verify 'alltoall:pairwise(partner=xor)' --ranks 6", "verify alltoall:pairwise --ranks 6"),
    ("or --machine NAME", f"hops {BRUCK}", f"hops --machine generic-hdr --ranks 16 {BRUCK}"),
    ("for example -n 'torus(8,8)'", f"hops {BRUCK}", f"hops -n 'torus(8,8)' {BRUCK}"),
    ("more cores on an endpoint (--cores)", f"hops -n 'ring(4)' {BRUCK} --nodes 2 --ranks-per-node 3 --cores 2", f"hops -n 'ring(4)' {BRUCK} --nodes 2 --ranks-per-node 3 --cores 3"),
    ("for example --latency '100 ns'", "calibrate pingpong.txt --bandwidth '100 Gbps'", "calibrate pingpong.txt --bandwidth '100 Gbps' --latency '100 ns'"),
    ("leave it out, or --machine", "calibrate pingpong.txt --bandwidth '100 Gbps' --latency '100 ns' --machine generic-hdr", "calibrate pingpong.txt --bandwidth '100 Gbps' --latency '100 ns'"),
    ("give --hwloc too", "machine new made.toml --fabric 'ring(4)' --nics 2", "machine new made.toml --fabric 'ring(4)' --nics 2 --hwloc 1,2,8"),
    # Measurements.
    ("add --fast", f"simulate -n 'ring(4)' {BRUCK} --model packet --fast-within 0.2", f"simulate -n 'ring(4)' {BRUCK} --model packet --fast-within 0.2 --fast"),
    ("add --machine", "expect pairs.txt --set software.call_overhead_s=1e-6", "expect pairs.txt --set software.call_overhead_s=1e-6 --machine generic-hdr"),
    ("leave --nodes out", "expect pairs.txt --nodes 5", "expect pairs.txt"),
    ("name the machine that was measured: netloom list machines", "expect times.csv", "list machines"),
    # Learning.
    ("name the column that is predicted, such as --target time_s", "learn samples.csv", "learn samples.csv --target time_s --learner linear"),
    ("add --learner gradient-boosting", "learn samples.csv --target time_s --loss huber --trees 5", "learn samples.csv --target time_s --loss huber --trees 5 --learner gradient-boosting"),
    ("add --search N", "learn samples.csv --target time_s --learner linear --by r2", "learn samples.csv --target time_s --learner linear --by r2 --search 1"),
    ("for example --where ranks=64", "learn samples.csv --target time_s --learner linear --where kind", "learn samples.csv --target time_s --learner linear --where kind=a"),
    ("or add --search 1", "learn samples.csv --target time_s --learner isotonic", "learn samples.csv --target time_s --learner isotonic --search 1"),
    ("or say --mixed where one model is to hold for all of them", "learn mixed.csv --target time_s --learner linear", "learn mixed.csv --target time_s --learner linear --mixed"),
    ("leave it out of --features", "learn samples.csv --target time_s --learner linear --features bytes_max,same", "learn samples.csv --target time_s --learner linear --features bytes_max"),
    ("leave the row or the column out", "learn samples.csv --target time_s --learner linear --features bytes_max,kind", "learn samples.csv --target time_s --learner linear --features bytes_max"),
    ("name another --target", "learn samples.csv --target same --learner linear", "learn samples.csv --target time_s --learner linear"),
    ("name columns with --features;", "learn bare.csv --target time_s --learner linear", "learn bare.csv --target time_s --learner linear --features hops"),
    # What-if.
    ("name what is varied, such as", "whatif ask.toml", "whatif ask.toml --vary 'link_bandwidth=50..400 Gbps'"),
    ("write the smaller one first", "whatif ask.toml --vary 'link_bandwidth=400..50 Gbps'", "whatif ask.toml --vary 'link_bandwidth=50..400 Gbps'"),
    ("leave out log, or begin above 0", "whatif ask.toml --vary 'router_delay=0..5 ns log'", "whatif ask.toml --vary 'router_delay=0..5 ns'"),
    ("it takes whole numbers", "whatif ask.toml --vary 'network.p=1..2.5'", "whatif ask.toml --vary 'network.p=1..2'"),
    ("give a range such as A..B", "whatif ask.toml --vary 'routing=minimal'", "whatif ask.toml --vary 'routing=minimal|single-minimal'"),
    ("give choices, such as", "whatif ask.toml --vary 'routing=1..3'", "whatif ask.toml --vary 'routing=minimal|single-minimal'"),
    ("name a column that is a number", "whatif ask.toml --vary 'router_delay=1..5 ns' --target mop_per_s", "whatif ask.toml --vary 'router_delay=1..5 ns' --target mean_s"),
    ("say which, such as --best least", "whatif ask.toml --vary 'ranks=2..4' --target solves", "whatif ask.toml --vary 'ranks=2..4' --target solves --best least"),
    ("name one with --target", "whatif ask.toml --vary 'ranks=2..4' -e verify", "whatif ask.toml --vary 'ranks=2..4' -e time"),
    # Design.
    ("say how many, such as --endpoints", "design --workload 'shift(k=1)' --catalogue parts.toml", "design --endpoints 32 --workload 'shift(k=1)' --catalogue parts.toml"),
    ("give one, such as --workload", "design --endpoints 32 --catalogue parts.toml", "design --endpoints 32 --catalogue parts.toml --workload alltoall:pairwise"),
    ("write WORKLOAD=WEIGHT, such as", "design --endpoints 32 --catalogue parts.toml --workload 'shift(k=1)=x'", "design --endpoints 32 --catalogue parts.toml --workload alltoall:pairwise=2"),
    ("leave it out, or add --family rail-optimised", "design --endpoints 32 --catalogue parts.toml --workload 'shift(k=1)' --family torus --nvlink", "design --endpoints 32 --catalogue parts.toml --workload 'shift(k=1)' --family torus --family rail-optimised --nvlink"),
    ("netloom design --show-catalogue prints one", "design --endpoints 32 --catalogue bare.toml --workload 'shift(k=1)'", "design --show-catalogue"),
    ("of these parts in the catalogue, or --goal time", "design --endpoints 32 --catalogue unpowered.toml --workload 'shift(k=1)' --family fat-tree --goal per-watt", "design --endpoints 32 --catalogue unpowered.toml --workload 'shift(k=1)' --family fat-tree --goal time"),
    ("leave out --size", "design --endpoints 32 --catalogue parts.toml --workload 'shift(k=1)' --size 1KiB", "design --endpoints 32 --catalogue parts.toml --workload 'shift(k=1)'"),
    # Training steps.
    ("give --dp 2", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --dp 3", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --dp 2"),
    ("give --gpus 8", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --dp 1 --pp 1 --gpus 12", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --dp 1 --gpus 8"),
    ("give at most --gpus 72, or a larger machine", "step llama3-8b --machine gb200-nvl72 --gpus 80 --tp 8", "step llama3-8b --machine gb200-nvl72 --gpus 72 --tp 8"),
    ("give --global-batch 4", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --global-batch 3", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --global-batch 4"),
    ("give --gpu with one of a100-40gb", "step llama3-8b --machine generic-ndr --gpus 16", "step llama3-8b --machine generic-ndr --gpus 16 --gpu h200"),
    ("give --schedule interleaved", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --pp 2 --interleave 2", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --pp 2 --interleave 2 --schedule interleaved"),
    ("add --place", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --emit slurm", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --emit slurm --place"),
    ("add --sweep or --place", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --best 1", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --best 1 --sweep"),
    ("leave --sweep, --place or the other machines out", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --sweep --report made.html", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --report made.html"),
    ("sweep first, then give the best split with --place", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --sweep --place", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --place"),
    ("take more GPUs, or another --global-batch", "step llama3-70b --machine dgx-h100 --gpus 8 --sweep --best 1", "step llama3-70b --machine dgx-h100 --gpus 32 --sweep --best 1"),
    ("write for example tp=0.5", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --overlap tp", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --overlap tp=0.5"),
    ("or give --uneven", "step llama3-8b --machine dgx-h100 --gpus 24 --tp 8 --pp 3", "step llama3-8b --machine dgx-h100 --gpus 24 --tp 8 --pp 3 --uneven"),
    ("it fits with --recompute selective", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --micro-batch 16 --recompute none", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --micro-batch 16 --recompute selective"),
    ("add --write-trace FILE", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --to goal", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --global-batch 2 --to goal --write-trace FILE"),
    ("add --with 'N: WORKLOAD'", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --turns", None),
    ("leave --with out", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --with '8: shift(k=1,bytes=8)' --write-trace a.goal", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --global-batch 2 --write-trace a.goal"),
    ("for example --with '16: step(", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --with llama3-8b", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --global-batch 2 --with '16: step(\"llama3-8b\",tp=8)'"),
    ("give a smaller job, or a larger machine", "step llama3-8b --machine dgx-h100 --gpus 12 --tp 4 --set network.nodes=4 --set network.pod=4 --with '20: shift(k=1,bytes=8)'", "step llama3-8b --machine dgx-h100 --gpus 12 --tp 4 --set network.nodes=4 --set network.pod=4 --global-batch 3 --with '16: shift(k=1,bytes=8)'"),
    ("give a name such as step.goal", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --write-trace - --to goal", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --global-batch 2 --write-trace step.goal --to goal"),
    ("take 1f1b or interleaved", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --pp 2 --schedule zero-bubble --write-trace a.goal", "step llama3-8b --machine dgx-h100 --gpus 16 --tp 8 --pp 2 --schedule 1f1b --write-trace a.goal"),
    ("give fewer --gpus, or a smaller --global-batch", "step llama3-8b --machine dgx-h100 --gpus 1024 --tp 8 --global-batch 16384 --write-trace a.goal", None),
    ("write machine=\"dgx-h100\" into the call", "simulate -n star(16) -a 'step(\"llama3-8b\",tp=8)'", "simulate -n star(16) -a 'step(\"llama3-8b\",tp=8,global_batch=2,machine=\"dgx-h100\")'"),
    ("for example step(\"llama3-8b\",tp=2)", "simulate --machine dgx-h100 --ranks 8 -a 'step(tp=2)'", "simulate --machine dgx-h100 --ranks 8 -a 'step(\"llama3-8b\",tp=2)'"),
    ("write it with kubectl get nodes -o json", "describe empty.json --from kubernetes-nodes", None),
    # Studies, and others.
    ("such as --shards 2 --emit slurm-array", "run study.toml --shards 2", "run study.toml -o made --shards 2 --emit slurm-array"),
    ("write it with: netloom run STUDY -o FOLDER --shards N --emit slurm-array", "merge made", "run study.toml -o made --shards 2 --emit slurm-array"),
    ("or --sizes constant for a code whose messages", "extrapolate 16.trace --ranks 25 -o o.goal",
     "extrapolate 16.trace --ranks 25 -o o.goal --sizes constant"),
    ("or give --force", "run other.toml -o kept -q", "run other.toml -o kept -q --force"),
]  # fmt: skip

#: Hints without a row, by words of them, and why.
ELSEWHERE = {
    "codes of many ranks: tests/unit/test_extrapolation.py": ("give recordings of other numbers of ranks, or --grid",),
    "an installed package, or another program": (
        "pip install", "dask scheduler", "dask worker", "start scheduler and workers", "sinfo shows", "lstopo --of xml",
        "squeue --json", "also read: TOML", "osu_bw", "--on processes", "--on threads", "install the same netloom",
        "--use-hwthread-cpus", "run it without mpirun",
    ),
    "Python, not a command": (
        ".astype", "tocsr", "trace=True", "method place", "available`", "netloom.read", "cpus=[...]", "give fewer ranks",
        "to_rows()) or polars", "networkx.write_graphml(", "networkx.to_scipy_sparse_array(",
    ),
    "placeholders whose text is chosen at run time": (
        "these hold every result", "give --node '{}'", "give --emit with one of", "read it, then give --allow-plugins",
        "netloom explain {}", "algorithms of {}", "all algorithms of {}", "--placement 'hosts(",
    ),
    "an MPI program is run: tests/peers/test_recorder.py, tests/cli/test_record_bad_input.py": (
        "-- mpirun -n", "with --mpicc", "add --depth order", "give --levels and --order", "record again",
        "name another folder with -o", "netloom record -o sent",
    ),
    "processes of mpirun, tried in tests/peers/test_run_schedule.py and test_bench_orders.py": (
        "give --datatype byte", "take --op sum", "netloom run-schedule", "leave --runner c out", "netloom bench-orders", "communicators(alltoall,16)",
    ),
    "an MPI program is run: tests/peers/test_measuring.py, tests/cli/test_measuring.py, tests/cli/test_gained.py": (
        "--launch 'mpirun", "--launch 'srun", "with --measured", "more --seconds", "add --run", "add --oversubscribe",
        "or --run", "give --seconds", "leave it out: --run", "again with --depth order",
    ),
    "the program is recorded again, by its own tools: tests/unit/traces": (
        "IPM_LOG=full", "give --limit more room", "NCCL_DEBUG", "profile with --trace=", "netloom record --depth order",
        "netloom record -- mpirun",
    ),
    "a model in a file: tests/unit/test_learning.py, tests/unit/test_learned_mapping.py": (
        "give the file: netloom learn", "learn a time: netloom learn", "which link loads tell", "--objective learned:FILE follows",
        "netloom learn predict MODEL TABLE", "make it again with netloom learn", "with --extrapolate", "name fewer --features",
    ),
    "tested where the thing is": (
        "machine=auto", "call sends(", "the name of a network file", "first=1)", "give a tree such as", "netloom explore", "use netloom loads", "leave --port out",
        "see netloom list", "run it first: netloom run", "keeps the runs that are still the same", "remove it, choose another",
        "leave it out; --cores says", "restore one of these", "`metrics` gives diameter", "use tie=lowest", "vc=", "leave `inside` out",
        "use `minimal`", "another start=", "model=cut-through", "smpi is what SMPI", "for example --bandwidth", "ASPL",
        "for example workload =", "files of traffic end with", "--critical-path records all", "or fewer jobs (-j)",
    ),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "ring.toml").write_text('network = "ring(4)"\nworkload = "alltoall:bruck"\n')
    (tmp_path / "other.toml").write_text(FILES["study.toml"].replace("One", "Another"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command, capsys):
    with pytest.raises(SystemExit) as ended:
        main(shlex.split(command))
    return ended.value.code, capsys.readouterr()


@pytest.mark.parametrize(
    ("hint", "refused", "applied"), ROWS, ids=[f"{at}-{row[0][:40]}" for at, row in enumerate(ROWS)]
)
def test_what_the_hint_proposes_works(folder, capsys, hint, refused, applied):
    if "kept" in refused:
        run("run study.toml -o kept -q", capsys)
    if "tables.csv" in (applied or ""):
        run("convert 'ring(4)' tables.csv -r 'single-minimal(tie=destination)'", capsys)
    code, shown = run(refused, capsys)
    assert code == 2, shown
    hints = "\n".join(re.findall(r"hint: (.*)", shown.err))
    assert hint in hints, shown.err
    if applied is not None:
        code, shown = run(applied, capsys)
        assert code == 0, shown.err


def hints_of_python(tree):
    """Texts of hints, `{}` where something is filled in."""
    for node in ast.walk(tree):
        given = None
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            place = {"Fault": 4, "refuse": 4, "refused": 2}.get(called)
            given = node.args[place] if place is not None and len(node.args) > place else None
            given = next((one.value for one in node.keywords if one.arg == "hint"), given)
        elif isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == "hint" for to in node.targets):
            given = node.value
        for one in (given.body, given.orelse) if isinstance(given, ast.IfExp) else (given,):
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                yield one.value
            elif isinstance(one, ast.JoinedStr):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in one.values)


def hints_of_rust(text):
    """The same of the core: outside tests."""
    text = text.partition("#[cfg(test)]")[0]
    for found in re.finditer(r'\.hint\(\s*(?:&?format!\(\s*)?"((?:[^"\\]|\\.)*)"', text, re.DOTALL):
        yield re.sub(r"\\\n\s*", "", found[1]).replace('\\"', '"')


def all_hints():
    for path in sorted((ROOT / "python" / "netloom").rglob("*.py")):
        yield from hints_of_python(ast.parse(path.read_text(encoding="utf-8")))
    for path in sorted((ROOT / "crates").rglob("*.rs")):
        if "test" not in path.name:
            yield from hints_of_rust(path.read_text(encoding="utf-8"))


def is_covered(hint):
    """Whether a row shows the hint: what is filled in stands for anything."""
    pattern = re.compile(".*".join(map(re.escape, re.split(r"\{\w*\}", hint))), re.IGNORECASE)
    words = [word for group in ELSEWHERE.values() for word in group]
    return any(pattern.search(row[0]) or row[0] in hint for row in ROWS) or any(word in hint for word in words)


def test_every_hint_with_a_proposal_has_a_row_or_a_reason():
    concrete = {hint for hint in all_hints() if CONCRETE.search(hint)}
    assert len(concrete) > 50
    assert sorted(hint for hint in concrete if not is_covered(hint)) == []


def test_a_hint_without_a_row_is_found():
    (hint,) = hints_of_python(ast.parse('Fault("NL-X", "p", "e", "", f"give --quux {n}")'))
    assert hint == "give --quux {}"
    assert CONCRETE.search(hint)
    assert not is_covered(hint)
