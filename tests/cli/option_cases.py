"""Command lines on which each option of each command shows what it does."""

from __future__ import annotations

from .compare_cases import CASES as COMPARED
from .design_cases import CASES as DESIGNED
from .design_cases import DESIGN
from .design_cases import FILES as DESIGN_FILES
from .extrapolate_cases import EXTRAPOLATE, EXTRAPOLATED, RECORDED
from .learn_cases import CASES as LEARNED
from .learn_cases import FILES as LEARN_FILES
from .learn_cases import LEARN
from .measured_here import FILES as MEASURED_HERE
from .option_case import COLLECTIVE, SOCKETS, TORUS, Case
from .step_cases import STEP, STEPPED
from .whatif_cases import CASES as WHAT_IF
from .whatif_cases import FILES as WHAT_IF_FILES
from .whatif_cases import WHATIF

RANKFILE, JOBS = "ranks.txt", "jobs.toml"
UNIFORM = "-t uniform(seed=1)"
#: Measures with a launcher that needs no MPI.
HERE = "--run --launch 'sh start.sh'"
#: Workloads of the scenario, by command.
OF = {
    "compare-models": "-q", "hops": "", "loads": "-q", "simulate": "-q", "explain-trace": "-q",
    "collectives": "-q --sizes 64KiB", "map": "-q --optimise two-opt(swaps=300)",
    "throughput": "-q --loads 0.2 --no-saturation --cycles 300 --warm-up 50",
}  # fmt: skip

#: Inputs of a scenario: the command line without the workload, the option, and the workload.
SCENARIO: dict[str, tuple[str, str, str]] = {
    "--machine": ("", "--machine near/near.toml", UNIFORM),
    "--machines": ("--machine near", "--machines near", UNIFORM),
    "--set": (TORUS, "--set network.p=2", COLLECTIVE),
    "--network": ("", "-n ring(9)", UNIFORM),
    "--from": (TORUS.replace("torus(4,4)", "edges.txt"), "--from graph-golf", "-t uniform(seed=1)"),
    "--part": ("-n islands.conf", "--part 1", UNIFORM),
    "--fail": (TORUS, "--fail link:0-1", UNIFORM),
    "--ranks": (TORUS, "--ranks 8", COLLECTIVE),
    "--nodes": (TORUS, "--nodes 8", COLLECTIVE),
    "--ranks-per-node": (f"{TORUS} --nodes 8", "--ranks-per-node 2", COLLECTIVE),
    "--cores": (f"{TORUS} --ranks 16", "--cores 4", COLLECTIVE),
    "--node": ("-n star(4) --ranks 16 --cores 4", SOCKETS, COLLECTIVE),
    "--placement": (f"{TORUS} --ranks 8", "-p random(seed=3)", COLLECTIVE),
    "--order": (TORUS, "--order random(seed=3)", COLLECTIVE),
    "--mapping": (TORUS, f"--mapping {RANKFILE}", COLLECTIVE),
    "--mapping-format": (f"{TORUS} --mapping {RANKFILE}", "--mapping-format rankfile", COLLECTIVE),
    "--library": (TORUS, "--library mpich", "-c allreduce:default"),
    "--size": (TORUS, "--size 1MiB", COLLECTIVE),
    "--root": (f"{TORUS} --ranks 13", "--root 3", "-c broadcast:binomial"),
    "--algorithm": (TORUS, "--algorithm alltoall:bruck", "-a is(class=S)"),
    "--calibration": (TORUS, "--calibration simgrid-smpi", UNIFORM),
    "--routing": (TORUS, "-r dimension-ordered", UNIFORM),
    "--variant": (TORUS, "-v static-indirect", UNIFORM),
    "--duplex": (TORUS, "--duplex half", "-c allreduce:ring --size 1MiB"),
    "--switch-latency": (TORUS, "--switch-latency 1us", UNIFORM),
    "--speed": (TORUS, "--speed 1Gflops", "-a is(class=S)"),
    "--repetitions": (TORUS, "--repetitions 3", UNIFORM),
    "--background": (f"{TORUS} --ranks 12", "--background 0:7:1MiB", UNIFORM),
    "--seed": (f"{TORUS} -v static-indirect", "--seed 7", UNIFORM),
    "--jobs": (TORUS, f"--jobs {JOBS}", ""),
    "--job": (TORUS, "--job 'a=4: alltoall:pairwise'", ""),
    "--first-node": ("-n torus(4,4) --jobs named.toml", "--first-node 1", ""),
    "--collective": (TORUS, COLLECTIVE, ""),
    "--traffic": (TORUS, UNIFORM, ""),
    "--application": (TORUS, "-a is(class=S)", ""),
    "--trace": ("-n star(4)", "--trace trace.txt", ""),
}  # fmt: skip
OF_A_SEARCH = ("--seconds 1", "--swaps 5", "--seed 5", "--free", "--details")
#: Without a workload nothing is asked: the base line is refused, and the option mends it.
MENDS = (
    "--library", "--machine", "--machines", "--part", "--network", "--jobs", "--job",
    "--collective", "--traffic", "--application", "--trace",
)  # fmt: skip

#: A format that is recognised is the same when it is named.
RUNS_ONLY = {"--from": "speed", "--mapping-format": "speed"}

NODE = "--ranks 32 --node node(sockets=2,numa=4,caches=2,cores=8) -t uniform(seed=1)"
SIMULATE, PACKETS = f"{TORUS} {UNIFORM} -q", f"{TORUS} {UNIFORM} -q --model packet"
LOADS, ADAPTIVE = f"{TORUS} {UNIFORM} -q", f"{TORUS} -r minimal -v adaptive-direct {UNIFORM} -q"
MAP = f"{TORUS} {UNIFORM} -q"
THROUGHPUT = f"{TORUS} {UNIFORM} -q --loads 0.2 --no-saturation --cycles 300 --warm-up 50"
TIMED = f"{TORUS} -q --sizes 64KiB"
VERIFY, ENUMERATE, CALIBRATE = "allreduce:ring", "2,2,4", "osu.txt --latency 100ns --hops 2 --bandwidth 100Gbps"
FREE_NODES = "-n torus(4,4) --jobs silent.toml --nodes 4 -t uniform(seed=1) -q"
NEW = "new made.toml --fabric fabric.net"
EXPECT = "times.csv --machine near/near.toml -q"
EXPLAIN = "ompi broadcast --ranks 8 --bytes 1MiB"

CASES: dict[tuple[str, str], Case] = COMPARED | {
    **EXTRAPOLATED,
    ("describe", "--machine"): Case("--no-cost --no-bisection", "--machine near/near.toml", "mends"),
    ("describe", "--machines"): Case("--machine near --no-cost --no-bisection", "--machines near", "mends"),
    ("describe", "--set"): Case("torus(4,4) --no-cost --no-bisection", "--set network.p=2"),
    ("list", "--machines"): Case("machines", "--machines near"),
    ("run", "--machines"): Case("machined.toml -q -o made", "--machines near", "mends"),
    ("merge", "--machines"): Case("parts -q", "--machines near", "runs"),
    ("evaluate", "--machines"): Case("asked.toml --evaluator hops", "--machines near", "mends"),
    ("describe", "--from"): Case("edges.txt --no-cost", "--from graph-golf", "runs"),
    ("describe", "--fail"): Case("torus(4,4) --no-cost", "--fail link:0-1"),
    ("describe", "--part"): Case("islands.conf --no-cost", "--part 1", "mends"),
    ("describe", "--model"): Case("torus(4,4) --no-bisection", "--model per-port"),
    ("describe", "--switches"): Case("torus(4,4) --no-cost --no-bisection", "--switches"),
    ("describe", "--no-bisection"): Case("torus(4,4)", "--no-bisection"),
    ("describe", "--cost"): Case("torus(4,4) --no-cost --no-bisection", "--cost"),
    ("describe", "--lft"): Case("fabric.net --no-cost", "--lft fabric.dump"),
    ("describe", "--expect"): Case("fabric.net --no-cost", "--expect xgft(m=[2,2],w=[1,1])"),
    ("size", "--endpoints"): Case("torus", "--endpoints 64", "mends"),
    ("size", "--radix"): Case("fat_tree --endpoints 128", "--radix 8"),
    ("size", "--taper"): Case("xgft --endpoints 64", "--taper 2"),
    ("size", "--bisection"): Case("xgft --endpoints 64", "--bisection 1"),
    ("size", "--proportions"): Case("dragonfly --endpoints 46656", "--proportions 1:3:2"),
    ("size", "--most"): Case("torus --endpoints 64", "--most 2"),
    ("machine", "--fabric"): Case("new made.toml --hwloc node.xml", "--fabric fabric.net", "mends"),
    ("machine", "--from"): Case("new made.toml --fabric edges.txt", "--from graph-golf"),
    ("machine", "--part"): Case("new made.toml --fabric islands.conf", "--part 1", "mends"),
    ("machine", "--hwloc"): Case("new made.toml --fabric fabric.net", "--hwloc node.xml", "files"),
    ("machine", "--nics"): Case("new made.toml --fabric ring(4) --hwloc 2,8", "--nics 2"),
    ("machine", "--title"): Case(NEW, "--title Ours", "files"),
    ("machine", "--like"): Case(NEW, "--like lumi-c", "files"),
    ("machine", "--measured"): Case("new made.toml --fabric torus(4,4)", "--measured many.csv", "files"),
    ("machine", "--machines"): Case(f"{NEW} --like near", "--machines near", "mends"),
    ("node", "--keep"): Case("node.xml", "--keep sockets"),
    ("node", "--insert"): Case("2,2,8", "--insert caches=2"),
    ("node", "--nodes"): Case("nodes.txt --nodes n0", "--nodes n1"),
    ("collectives", "--library"): Case(f"{TIMED} -c allreduce", "--library mpich"),
    ("compare-models", "--switch"): Case(SIMULATE, "--switch input-queued(buffer=8)"),
    ("loads", "--increments"): Case(ADAPTIVE.replace("adaptive-direct", "adaptive-hybrid"), "--increments 1"),
    ("loads", "--tolerance"): Case(f"{ADAPTIVE} --rounds 8", "--tolerance 0.9"),
    ("loads", "--rounds"): Case(f"{ADAPTIVE} --tolerance 0", "--rounds 1"),
    ("loads", "--hottest"): Case(LOADS, "--hottest 1"),
    ("loads", "--csv"): Case(LOADS, "--csv links.csv", "files"),
    ("loads", "--plot"): Case(LOADS, "--plot links.svg", "files"),
    ("loads", "--picture"): Case(f"{LOADS} --plot links.svg", "--picture histogram", "files"),
    ("simulate", "--model"): Case(SIMULATE, "--model packet"),
    ("simulate", "--switch"): Case(PACKETS, "--switch output-queued(packet_bytes=64)"),
    ("simulate", "--threads"): Case(PACKETS, "--threads 2", "speed"),
    ("simulate", "--parallel"): Case(f"{PACKETS} --threads 2", "--parallel optimistic"),
    ("simulate", "--details"): Case(PACKETS, "--details"),
    ("simulate", "--links"): Case(PACKETS, "--links 3"),
    ("simulate", "--fast"): Case(f"{TORUS} -t shift(k=1,bytes=1048576) -q --model packet", "--fast"),
    ("simulate", "--fast-within"): Case(
        f"{TORUS} -t shift(k=1,bytes=1048576) -q --model packet --fast", "--fast-within 10"
    ),
    ("simulate", "--no-fold"): Case(SIMULATE, "--no-fold", "speed"),
    ("simulate", "--critical-path"): Case(SIMULATE, "--critical-path"),
    ("simulate", "--pictures"): Case(SIMULATE, "--pictures made", "files"),
    ("simulate", "--timeline"): Case(SIMULATE, "--timeline made.json", "files"),
    ("simulate", "--write-trace"): Case(SIMULATE, "--write-trace made", "files"),
    ("throughput", "--loads"): Case(THROUGHPUT.replace("--loads 0.2", ""), "--loads 0.1,0.3"),
    ("throughput", "--switch"): Case(THROUGHPUT, "--switch output-queued"),
    ("throughput", "--source"): Case(THROUGHPUT, "--source on-off"),
    ("throughput", "--protocol"): Case(THROUGHPUT, "--protocol batches"),
    ("throughput", "--warm-up"): Case(THROUGHPUT.replace("--warm-up 50", ""), "--warm-up 7"),
    ("throughput", "--cycles"): Case(THROUGHPUT.replace("--cycles 300", ""), "--cycles 200"),
    ("throughput", "--drain"): Case(THROUGHPUT.replace("--loads 0.2", "--loads 0.99"), "--drain 1"),
    ("throughput", "--no-saturation"): Case(THROUGHPUT.replace("--no-saturation", ""), "--no-saturation"),
    ("throughput", "--links"): Case(f"{THROUGHPUT} --json", "--links 2"),
    ("throughput", "--occupancy"): Case(f"{THROUGHPUT} --json", "--occupancy 4"),
    ("throughput", "--plot"): Case(THROUGHPUT, "--plot a.svg", "files"),
    ("throughput", "--plot-latency"): Case(THROUGHPUT, "--plot-latency a.svg", "files"),
    ("throughput", "--plot-links"): Case(THROUGHPUT, "--plot-links a.svg", "files"),
    ("throughput", "--plot-occupancy"): Case(THROUGHPUT, "--plot-occupancy a.svg", "files"),
    ("evaluate", "--evaluator"): Case("scenario.toml", "--evaluator loads"),
    ("evaluate", "--option"): Case("scenario.toml --evaluator hops --json", "--option steps=true"),
    ("collectives", "--collective"): Case(TIMED, "-c broadcast"),
    ("collectives", "--algorithms"): Case(TIMED, "--algorithms allreduce:ring"),
    ("collectives", "--sizes"): Case(f"{TORUS} -q", "--sizes 1KiB"),
    ("collectives", "--format"): Case(TIMED, "--format osu"),
    ("collectives", "--emit"): Case(f"{TIMED} -o made", "--emit ompi", "files"),
    ("collectives", "--output"): Case(TIMED, "-o made", "files"),
    ("enumerate", "--communicator"): Case(ENUMERATE, "--communicator 4"),
    ("enumerate", "--order"): Case(ENUMERATE, "--order 2,1,0"),
    ("enumerate", "--cores"): Case(ENUMERATE, "--cores 4"),
    ("enumerate", "--nodes"): Case(f"{ENUMERATE} --cores 4 --order 2,1,0 --json", "--nodes 2"),
    ("enumerate", "--then"): Case(f"{ENUMERATE} --cores 8 --order 2,1,0 --json", "--then 0,1"),
    ("enumerate", "--mapping"): Case(f"{ENUMERATE} --cores 4 --order 2,1,0", "--mapping cores.csv", "files"),
    ("enumerate", "--sample"): Case(ENUMERATE, "--sample 3"),
    ("enumerate", "--seed"): Case(f"{ENUMERATE} --sample 2", "--seed 9"),
    ("enumerate", "--names"): Case(ENUMERATE, "--names node,numa,core"),
    ("map", "--optimise"): Case(MAP, "--optimise greedy"),
    ("map", "--objective"): Case(f"{MAP} --optimise two-opt(swaps=300)", "--objective hops"),
    ("map", "--take"): Case(MAP, "--take greedy"),
    ("map", "--free"): Case(f"{MAP} --ranks 6 --optimise two-opt(swaps=300) --objective hops", "--free"),
    ("map", "--stop-after"): Case(f"{MAP} --optimise anneal --objective hops", "--stop-after 0.05", "runs"),
    ("map", "--learned"): Case(f"{MAP} --swaps 5", "--learned links.model"),
    ("map", "--details"): Case(f"{MAP} --optimise two-opt(swaps=3) --objective hops", "--details"),
    ("map", "--swaps"): Case(f"{MAP} --optimise two-opt --objective hops", "--swaps 1"),
    ("map", "--seed"): Case(f"{MAP} --optimise two-opt(swaps=3) --objective hops", "--seed 9"),
    ("map", "--emit"): Case(f"{MAP} --optimise two-opt(swaps=3)", "--emit csv"),
    ("map", "--cpus"): Case(
        f"-n star(2) {NODE} -q --optimise two-opt(swaps=3) --emit map-cpu", "--cpus node.xml", "runs"
    ),
    ("map", "--output"): Case(f"{MAP} --optimise two-opt(swaps=3) --emit csv", "-o made", "files"),
    ("map", "--plot"): Case(MAP, "--plot a.svg", "files"),
    ("map", "--nodes"): Case(f"-n star(8) --jobs {JOBS} -t uniform(seed=1) -q", "--nodes 2", "mends"),
    ("map", "--jobs"): Case("-n star(8) --nodes 2 -t uniform(seed=1) -q", f"--jobs {JOBS}"),
    ("map", "--others"): Case(
        "-n torus(4,4) --jobs silent.toml --nodes 4 -t uniform(seed=1) -q", "--others shift(k=3,bytes=100000000)"
    ),
    ("map", "--first-node"): Case("-n torus(4,4) --jobs named.toml --nodes 2 -t uniform(seed=1) -q", "--first-node 1"),
    ("map", "--states"): Case(FREE_NODES, "--states states.txt"),
    ("map", "--partition"): Case(f"{FREE_NODES} --states states.txt", "--partition b"),
    ("map", "--segment"): Case(FREE_NODES.replace("torus(4,4)", "k_ary_n_tree(4,2)"), "--segment 2"),
    ("run", "--output"): Case("study.toml -q", "-o made", "files"),
    ("run", "--jobs"): Case("study.toml -q -o made", "-j 1", "speed"),
    ("run", "--on"): Case("study.toml -q -o made", "--on processes", "speed"),
    ("run", "--shards"): Case("study.toml -q -o made --emit slurm-array", "--shards 2", "mends"),
    ("run", "--shard"): Case("study.toml -q -o listed", "--shard 1/2", "files"),
    ("run", "--emit"): Case("study.toml -q -o made --shards 2", "--emit slurm-array", "mends"),
    ("run", "--allow-plugins"): Case("plugged.toml -q -o made", "--allow-plugins", "mends"),
    ("run", "--force"): Case("study.toml -o made", "--force", "runs"),
    ("run", "--check"): Case("study.toml -q -o made", "--check"),
    ("run", "--fast"): Case("sizes.toml -q -o made", "--fast"),
    ("run", "--no-figures"): Case("study.toml -q -o made", "--no-figures", "files"),
    ("merge", "--no-figures"): Case("parts -q", "--no-figures", "files"),
    ("merge", "--allow-plugins"): Case("parts -q", "--allow-plugins", "runs"),
    ("index", "--output"): Case("kept", "-o other.html", "files"),
    ("verify", "--ranks"): Case(f"{VERIFY} --ranks 3", "--ranks 8"),
    ("verify", "--root"): Case("broadcast:linear --ranks 5 --long", "--root 3", "runs"),
    ("verify", "--size"): Case(f"{VERIFY} --ranks 8", "--size 1MiB"),
    ("verify", "--long"): Case(f"{VERIFY} --ranks 8", "--long", "runs"),
    ("convert", "--from"): Case("edges.txt out.graphml", "--from graph-golf", "runs"),
    ("convert", "--part"): Case("islands.conf out.json", "--part 1", "files"),
    ("convert", "--to"): Case("ring(4) out.json", "--to graphml", "files"),
    ("convert", "--routing"): Case("ring(5) out.csv --to forwarding-csv", "--routing single-minimal", "mends"),
    ("validate", "--machine"): Case("times.csv --machine near/near.toml -q", "--machine generic-hdr"),
    ("validate", "--set"): Case("times.csv --machine generic-hdr -q", "--set software.call_overhead_s=1e-5"),
    ("validate", "--machines"): Case("times.csv --machine near -q", "--machines near", "mends"),
    ("validate", "--report"): Case("times.csv --machine generic-hdr -q", "--report made.html", "files"),
    ("expect", "--machine"): Case(EXPECT, "--machine generic-hdr"),
    ("expect", "--set"): Case(EXPECT, "--set software.call_overhead_s=1e-5"),
    ("expect", "--machines"): Case("times.csv --machine near -q", "--machines near", "mends"),
    ("expect", "--nodes"): Case("counted.csv --machine generic-hdr -q --ranks-per-node 1", "--nodes 8", "mends"),
    ("expect", "--ranks-per-node"): Case(
        "counted.csv --machine generic-hdr -q --nodes 8", "--ranks-per-node 1", "mends"
    ),
    ("expect", "--collective"): Case("rates.txt", "-c alltoall"),
    ("expect", "--algorithm"): Case(
        "counted.csv --machine generic-hdr -q --nodes 8 --ranks-per-node 1", "--algorithm reduce-broadcast"
    ),
    ("expect", "--library"): Case(
        "counted.csv --machine generic-hdr -q --nodes 8 --ranks-per-node 1", "--library mpich", "notes"
    ),
    ("expect", "--unit"): Case("bare.txt", "--unit GB/s", "mends"),
    **STEPPED,
    ("calibrate", "--latency"): Case(CALIBRATE, "--latency 300ns"),
    ("calibrate", "--hops"): Case(CALIBRATE, "--hops 4"),
    ("calibrate", "--bandwidth"): Case(CALIBRATE, "--bandwidth 50Gbps"),
    ("calibrate", "--envelope"): Case(CALIBRATE, "--envelope 64"),
    ("calibrate", "--noise"): Case(CALIBRATE, "--noise 0.0001"),
    ("calibrate", "--constant"): Case(CALIBRATE, "--constant overhead"),
    ("calibrate", "--like"): Case(f"{CALIBRATE} -o made.toml", "--like simgrid-smpi", "files"),
    ("calibrate", "--machine"): Case(CALIBRATE, "--machine generic-hdr", "refuses"),
    ("calibrate", "--output"): Case(CALIBRATE, "-o made.toml", "files"),
    **{
        (command, option): Case(f"{base} {line}", added, effect)
        for command, base in (("calibrate", "-o made.toml"), ("validate", "--machine generic-hdr -q"))
        for option, line, added, effect in (
            ("--run", "--launch 'sh start.sh'", "--run", "mends"),
            ("--launch", "--run --launch 'sh dying.sh'", "--launch 'sh start.sh'", "mends"),
            ("--seconds", HERE, "--seconds 2", "notes"),
            ("--oversubscribe", HERE, "--oversubscribe", "runs"),
            ("--measured", HERE, "--measured own.jsonl", "files"),
        )
    },
    ("explain", "--ranks"): Case(EXPLAIN, "--ranks 100"),
    ("explain", "--bytes"): Case(EXPLAIN, "--bytes 8"),
    ("explain", "--type-bytes"): Case("ompi reduce --ranks 8 --bytes 1MiB", "--type-bytes 8", "runs"),
    ("explain", "--non-commutative"): Case("ompi allreduce --ranks 8 --bytes 1MiB", "--non-commutative"),
    ("explain", "--network"): Case(EXPLAIN, "--network torus(4,4)"),
    ("explain", "--placement"): Case(f"{EXPLAIN} --network torus(4,4)", "--placement random(seed=3)"),
    ("explain", "--order"): Case(f"{EXPLAIN} --network torus(4,4)", "--order random(seed=3)"),
    **LEARNED,
    **WHAT_IF,
    **DESIGNED,
}

#: Options that every command has alike.
COMMON = {
    "--json": ("--json", "changes"),
    "--report": ("--report page.html", "files"),
    "--plugin": ("--plugin own.py", "runs"),
    "--memory": ("--memory 1", "refuses"),
    "--quiet": ("-q", "speed"),
    "--stop-after": ("--stop-after 600", "speed"),
    "--threads": ("--threads 2", "speed"),
}
#: A line that works, for the options in `COMMON`.
LINES = {
    "describe": "torus(4,4) --no-cost --no-bisection", "size": "torus --endpoints 64", "node": "node.xml",
    "machine": NEW,
    "compare": "torus(4,4) hypercube(4)", "evaluate": "scenario.toml --evaluator hops", "enumerate": ENUMERATE,
    "run": "study.toml -o made", "merge": "parts", "index": "kept", "verify": f"{VERIFY} --ranks 8",
    "convert": "ring(4) out.json", "validate": "times.csv --machine generic-hdr -q",
    "expect": EXPECT, "step": STEP, "learn": LEARN, "extrapolate": EXTRAPOLATE, "whatif": WHATIF, "design": DESIGN,
    "calibrate": CALIBRATE, "list": "topologies", "explain": EXPLAIN,
    **{name: f"{TORUS} {UNIFORM} {flags}" for name, flags in OF.items() if name != "collectives"},
    "collectives": f"{TIMED} --algorithms allreduce:ring",
}  # fmt: skip
OF_THROUGHPUT = {
    "--variant": Case(f"{THROUGHPUT} -r minimal", "-v adaptive-direct"),
    "--seed": Case(THROUGHPUT, "--seed 7"),
    "--size": Case(f"{TORUS} {COLLECTIVE} {OF['throughput']}", "--size 1MiB", "idle"),
}
#: Lines on which an option cannot change anything.
IDLE = [
    *[
        (command, f"{TORUS} {workload} {OF[command]}", added)
        for added, commands, workload in (
            ("--mapping-format csv", "compare-models hops loads simulate throughput map", UNIFORM),
            ("--mapping-format csv", "collectives", ""),
            ("--root 3", "compare-models hops loads simulate explain-trace throughput map", UNIFORM),
            ("--root 3", "collectives", "-c allreduce"),
            ("--algorithm alltoall:bruck", "compare-models hops loads simulate explain-trace throughput map", UNIFORM),
            ("--speed 1Gflops", "compare-models simulate map", UNIFORM),
            ("--seed 7", "loads simulate explain-trace", UNIFORM),
            ("--size 1MiB", "compare-models hops loads simulate throughput map", UNIFORM),
            ("--size 1MiB", "throughput", COLLECTIVE),
            ("--first-node 2", "loads simulate compare-models", UNIFORM),
            ("--increments 3", "loads", UNIFORM),
            ("--tolerance 0.3", "loads", UNIFORM),
            ("--rounds 3", "loads", UNIFORM),
        )
        for command in commands.split()
    ],
    ("hops", f"-n star(4) --cores 4 {UNIFORM}", "--node node(sockets=2,cores=2)"),
    *[("map", f"{MAP} --optimise none", added) for added in OF_A_SEARCH],
]

FILES = MEASURED_HERE | LEARN_FILES | WHAT_IF_FILES | DESIGN_FILES | {
    "islands.conf": "SwitchName=a Nodes=a[0-3]\nSwitchName=b Nodes=b[0-4]\n",
    "states.txt": "NODELIST PARTITION STATE\nn[5-8] a idle\nn[9-13] b idle\n",
    "near/near.toml": 'network = "torus(4,4)"\n',
    "times.csv": "collective,algorithm,library,nodes,ranks_per_node,bytes,time_s\n"
    "allreduce,ring,,8,1,65536,4e-5\nallreduce,recursive-doubling,,8,1,65536,3e-5\nbroadcast,binomial,,4,1,64,5e-6\n",
    "many.csv": "collective,algorithm,library,nodes,ranks_per_node,bytes,time_s\n"
    + "".join(f"allgather,ring,,{n},1,{1 << k},{n * (2e-6 + 2.0 ** (k - 30))}\n" for n in (2, 4) for k in range(3, 13)),
    "counted.csv": "collective,bytes,time_s\nallreduce,65536,4e-5\n",
    "bare.txt": "- 40 41\n41 - 20\n42 20 -\n",
    "rates.txt": "# GB/s\n- 40 41\n41 - 20\n42 20 -\n",
    "asked.toml": 'machine = "near"\nworkload = "allreduce:ring"\n',
    "machined.toml": 'title="s"\n[[experiment]]\nname="e"\nevaluate="hops"\n[experiment.axes]\n'
    'machine=["near"]\nworkload=["uniform(seed=1)"]\n',
    "edges.txt": "0 1\n1 2\n2 3\n3 0\n",
    RANKFILE: "".join(f"rank {rank}=node{rank * 7 % 16 + 1:04d} slot=0\n" for rank in range(16)),
    JOBS: '[[job]]\nname="a"\nnodes=4\nworkload="alltoall:pairwise"\n',
    "silent.toml": '[[job]]\nname="a"\nnodes=4\n',
    "named.toml": '[[job]]\nname="a"\nnode_list="n[1-4]"\nworkload="alltoall:pairwise"\n',
    "scenario.toml": 'network = "torus(4,4)"\nworkload = "allreduce:ring"\n',
    "own.py": "from netloom.plugin import Order\n\n\nclass Turned(Order):\n    name = \"turned\"\n",
    "osu.txt": "# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n"
    + "".join(f"{1 << k} {1 + (1 << k) / 12000 + (k % 3) / 50:.3f}\n" for k in range(20)),
    "study.toml": 'title="s"\n[[experiment]]\nname="e"\nevaluate="hops"\n[experiment.axes]\n'
    'network=["ring(4)","ring(6)"]\nworkload=["uniform(seed=1)"]\n'
    '[[experiment.chart]]\ntitle="hops"\nx="network"\ny="mean_hops"\n',
    "plugged.toml": 'title="s"\nplugins=["own.py"]\n[[experiment]]\nname="e"\nevaluate="hops"\n[experiment.axes]\n'
    'network=["ring(4)"]\nworkload=["uniform(seed=1)"]\n',
    "sizes.toml": 'title="s"\n[[experiment]]\nname="e"\nevaluate="packet"\n[experiment.axes]\n'
    'network="ring(4)"\nworkload="allreduce:ring"\nsize_bytes=[8,16,32]\n',
    "idle.toml": 'title="s"\n[[experiment]]\nname="e"\nevaluate="hops"\n[experiment.axes]\n'
    'network=["torus(4,4)"]\nroot=[3]\nworkload=["uniform(seed=1)","broadcast:linear"]\n',
    **RECORDED,
    "trace.txt": "".join(f"{rank} init\n" for rank in range(4)) + "0 send 1 0 1000\n1 recv 0 0 1000\n"
    + "".join(f"{rank} finalize\n" for rank in range(4)),
    "nodes.txt": "NodeName=n0 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 CPUTot=8\n\n"
    "NodeName=n1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 CPUTot=16\n",
}  # fmt: skip
