//! Lists of cores, one for each rank of a node, the same on every node: options of launchers that bind.
//!
//! Sources: srun(1), option `--cpu-bind`; Open MPI 5 mpirun(1), `--map-by pe-list`; `mpiexec.hydra -bind-to -help`; Intel MPI
//! reference, `I_MPI_PIN_PROCESSOR_LIST`; likwid-mpirun(1), `-pin`.

use netloom_model::param::Kind;
use netloom_model::{Bound, Fault, Mapping, Network, Outcome, Param, Row};

use super::hosts::{HOST_PATTERN, Hosts, SLOTS};
use super::step::Step;
use crate::codes;
use crate::row::{Format, Writer};

/// `cpus`: what the operating system calls the slots of a host.
const CPUS: Param = Param::optional(
    "cpus",
    Kind::Ints { min: 0, max: 1 << 20, least: 1, most: usize::MAX },
    "",
    "number of each slot of a host in the operating system, as lstopo -p shows; absent: 0, 1, 2, ...",
)
.keyword_only();

/// `hosts`: what says on which host a rank is.
const HOSTS: Param = Param::optional(
    "hosts",
    Kind::Choice(&["block", "elsewhere"]),
    "block",
    "block: srun fills the hosts in the order of their names; elsewhere: a file, such as slurm-arbitrary, gives ranks to hosts",
)
.keyword_only();

const PARAMS: &[Param] = &[HOST_PATTERN, SLOTS, CPUS];
const SLURM_PARAMS: &[Param] = &[HOST_PATTERN, SLOTS, CPUS, HOSTS];
const ANY: &str = "Every host must bind its ranks to the same cores in the same order; which hosts these are is in another file, such as \
                   slurm-arbitrary or hostfile with bind=elsewhere.";
const BLOCKS: &str = "Every host must bind its ranks to the same cores in the same order, and ranks must fill hosts in the order of \
                      their names, as srun does, unless hosts=elsewhere and another file, such as slurm-arbitrary, says which \
                      hosts these are.";
const FILLED: &str = "Every host must bind its ranks to the same cores in the same order, and hosts are filled one after another in the order \
     of their names.";

const fn row(
    name: &'static str,
    summary: &'static str,
    filled: bool,
    source: &'static str,
    write: Writer<Mapping>,
) -> Row<Format<Mapping>> {
    Row {
        name,
        aliases: &[],
        summary,
        params: PARAMS,
        example: "",
        restrictions: if filled { FILLED } else { ANY },
        source,
        build: Format { extensions: &[], begins: |_| false, read: None, write: Some(write) },
    }
}

pub const MAP_CPU: Row<Format<Mapping>> = Row {
    aliases: &["slurm-map-cpu"],
    params: SLURM_PARAMS,
    restrictions: BLOCKS,
    example: "map-cpu(slots=2)",
    ..row(
        "map-cpu",
        "Slurm's `--cpu-bind=map_cpu:...`: the core of every rank of a node.",
        false,
        "srun(1), --cpu-bind",
        |m, n, b| blocks(m, n, b, "--cpu-bind=map_cpu:", |cpu| cpu.to_string()),
    )
};
pub const MASK_CPU: Row<Format<Mapping>> = Row {
    aliases: &["slurm-mask-cpu"],
    params: SLURM_PARAMS,
    restrictions: BLOCKS,
    example: "mask-cpu(slots=2)",
    ..row(
        "mask-cpu",
        "Slurm's `--cpu-bind=mask_cpu:...`: the core of every rank of a node as a hexadecimal mask.",
        false,
        "srun(1), --cpu-bind",
        |m, n, b| blocks(m, n, b, "--cpu-bind=mask_cpu:", mask),
    )
};
pub const HYDRA_BIND: Row<Format<Mapping>> = Row {
    aliases: &["mpich-bind"],
    example: "hydra-bind(slots=2)",
    ..row(
        "hydra-bind",
        "MPICH's `-bind-to user:...`: the core of every rank of a node.",
        false,
        "mpiexec.hydra -bind-to -help",
        |m, n, b| {
            require_together(m, &Hosts::of(n, b)?, &b.owner)?;
            option(m, n, b, "-bind-to user:", ",", |cpu| cpu.to_string())
        },
    )
};
pub const INTEL_PIN: Row<Format<Mapping>> = Row {
    aliases: &["intel-mpi-pin"],
    example: "intel-pin(slots=2)",
    ..row(
        "intel-pin",
        "Intel MPI's `I_MPI_PIN_PROCESSOR_LIST=...`: the core of every rank of a node.",
        false,
        "Intel MPI Library developer reference, process pinning",
        |m, n, b| option(m, n, b, "I_MPI_PIN_PROCESSOR_LIST=", ",", |cpu| cpu.to_string()),
    )
};
pub const LIKWID_PIN: Row<Format<Mapping>> = Row {
    aliases: &["likwid-mpirun"],
    example: "likwid-pin(slots=2)",
    ..row(
        "likwid-pin",
        "likwid-mpirun's `-pin N:0_N:8...`: the core of every rank of a node.",
        true,
        "likwid-mpirun(1)",
        |m, n, b| filled(m, n, b, "-pin ", "_", |cpu| format!("N:{cpu}"), ""),
    )
};
pub const PE_LIST: Row<Format<Mapping>> = Row {
    aliases: &["ompi-pe-list"],
    example: "pe-list(slots=2)",
    ..row(
        "pe-list",
        "Open MPI 5's `--map-by pe-list=...:ordered`: the core of every rank of a node.",
        true,
        "Open MPI 5 manual, mpirun(1), --map-by",
        |m, n, b| filled(m, n, b, "--map-by pe-list=", ",", |cpu| cpu.to_string(), ":ordered"),
    )
};

/// One line with one entry for each rank of a node, whichever ranks these are.
fn option(
    mapping: &Mapping,
    network: &Network,
    bound: &Bound,
    before: &str,
    between: &str,
    entry: fn(u32) -> String,
) -> Outcome<Vec<u8>> {
    let hosts = Hosts::of(network, bound)?;
    let list = common(mapping, &hosts, &bound.owner)?;
    let cpus: Vec<String> = cpus(&list, &hosts, bound)?.into_iter().map(entry).collect();
    Ok(format!("{before}{}\n", cpus.join(between)).into_bytes())
}

/// Pins for Slurm, which gives ranks to hosts itself unless a file does.
fn blocks(
    mapping: &Mapping,
    network: &Network,
    bound: &Bound,
    before: &str,
    entry: fn(u32) -> String,
) -> Outcome<Vec<u8>> {
    if bound.text("hosts") != "elsewhere" {
        let hosts = Hosts::of(network, bound)?;
        Step::of(mapping, &hosts).require_blocks(&bound.owner)?;
    }
    option(mapping, network, bound, before, ",", entry)
}

/// Pins for launchers that fill one host after another.
fn filled(
    mapping: &Mapping,
    network: &Network,
    bound: &Bound,
    before: &str,
    between: &str,
    entry: fn(u32) -> String,
    after: &str,
) -> Outcome<Vec<u8>> {
    let hosts = Hosts::of(network, bound)?;
    require_filled(mapping, &hosts, &bound.owner)?;
    let mut line = option(mapping, network, bound, before, between, entry)?;
    line.pop();
    line.extend(format!("{after}\n").into_bytes());
    Ok(line)
}

/// Slots in order of rank, for every host in use in ascending order. O(ranks + hosts).
pub fn lists(mapping: &Mapping, hosts: &Hosts) -> Vec<(u32, Vec<u32>)> {
    let mut of_host: Vec<Vec<u32>> = vec![Vec::new(); hosts.names.len()];
    for &endpoint in mapping.endpoints() {
        let (host, slot) = hosts.slot(endpoint);
        of_host[host as usize].push(slot);
    }
    (0..).zip(of_host).filter(|(_, slots)| !slots.is_empty()).collect()
}

/// The list of all hosts. A host with fewer ranks uses its beginning.
fn common(mapping: &Mapping, hosts: &Hosts, format: &str) -> Outcome<Vec<u32>> {
    let all = lists(mapping, hosts);
    let Some((first, longest)) = all.iter().max_by_key(|(host, slots)| (slots.len(), std::cmp::Reverse(*host))) else {
        return Ok(Vec::new());
    };
    match all.iter().find(|(_, slots)| !longest.starts_with(slots)) {
        None => Ok(longest.clone()),
        Some((other, slots)) => {
            let sentence = format!(
                "{} has its ranks on slots {}, {} on {}; {format} has one list for all hosts",
                hosts.names[*first as usize],
                join(longest),
                hosts.names[*other as usize],
                join(slots)
            );
            Err(Fault::say(&codes::CANNOT_EXPRESS, format, sentence).hint("write rankfile").into())
        }
    }
}

/// Refuses hosts that ranks come back to: Hydra begins the list of cores anew with each line of its file of hosts, so that
/// two ranks would share a core. O(ranks).
fn require_together(mapping: &Mapping, hosts: &Hosts, format: &str) -> Outcome<()> {
    let mut seen = vec![false; hosts.names.len()];
    let mut rank = 0;
    for run in mapping.endpoints().chunk_by(|a, b| hosts.slot(*a).0 == hosts.slot(*b).0) {
        let host = hosts.slot(run[0]).0 as usize;
        if std::mem::replace(&mut seen[host], true) {
            let sentence = format!(
                "rank {rank} is on {} again, after ranks on others; {format} binds it to the first core of the list once more",
                hosts.names[host]
            );
            return Err(Fault::say(&codes::CANNOT_EXPRESS, format, sentence).hint("write rankfile").into());
        }
        rank += run.len();
    }
    Ok(())
}

/// Refuses ranks that do not fill the hosts one after another in the order of their names, each but the last with as many.
pub fn require_filled(mapping: &Mapping, hosts: &Hosts, format: &str) -> Outcome<()> {
    let step = Step::of(mapping, hosts);
    let runs: Vec<(u32, usize)> = step.indices().chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect();
    let full = runs.first().map_or(0, |run| run.1);
    let bad = runs.iter().enumerate().find(|(at, (host, ranks))| {
        (at + 1 < runs.len() && *ranks != full) || *ranks > full || (*at > 0 && runs[at - 1].0 >= *host)
    });
    if bad.is_none() {
        return Ok(());
    }
    let sentence = format!(
        "{format} fills hosts one after another in the order of their names with equally many ranks, and this mapping does \
         not"
    );
    Err(Fault::say(&codes::CANNOT_EXPRESS, format, sentence).hint("write rankfile").into())
}

/// The fault of ranks that do not fill hosts evenly.
pub fn uneven(format: &str) -> Fault {
    let sentence = format!("{format} fills hosts one after another with equally many ranks, and this mapping does not");
    Fault::say(&codes::CANNOT_EXPRESS, format, sentence).hint("write rankfile")
}

/// What the operating system calls some slots.
///
/// # Errors
/// `NL-A007` for a list that is too short or has a number twice.
pub fn cpus(slots: &[u32], hosts: &Hosts, bound: &Bound) -> Outcome<Vec<u32>> {
    if !bound.is_given("cpus") {
        return Ok(slots.to_vec());
    }
    let given = bound.ints("cpus");
    let mut sorted = given.clone();
    sorted.sort_unstable();
    sorted.dedup();
    if given.len() != hosts.slots as usize || sorted.len() != given.len() {
        return Err(bound
            .fault("cpus", format!("{} different numbers, one for each slot of a host", hosts.slots))
            .into());
    }
    Ok(slots.iter().map(|slot| given[*slot as usize] as u32).collect())
}

/// `0x` and a bit for one core.
fn mask(cpu: u32) -> String {
    format!("0x{:x}{}", 1 << (cpu % 4), "0".repeat((cpu / 4) as usize))
}

fn join(slots: &[u32]) -> String {
    let shown: Vec<String> = slots.iter().take(8).map(u32::to_string).collect();
    if slots.len() > 8 { format!("{},...", shown.join(",")) } else { shown.join(",") }
}
