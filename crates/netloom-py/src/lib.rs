//! Thin binding: one file per crate it exposes. No algorithm, and no default that a registry defines; it adds
//! conversion (values, faults, arrays) and runs long work so that Python can watch and interrupt it.

mod cross;
mod fault;
mod helper;
mod work;

mod answer;
mod columns;
mod cut;
mod enumeration;
mod factors;
mod facts;
mod failures;
mod flow;
mod formats;
mod kept;
mod listed;
mod made;
mod mapping;
mod network;
mod node;
mod objects;
mod processes;
mod programs;
mod quantity;
mod recording;
mod registry;
mod routing;
mod scenario;
mod search;
mod sends;
mod subnet;
mod toml_spans;
mod workload;

use pyo3::prelude::*;

/// Version of the compiled core; equals the package's version.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Most bytes that one network, file or search may take from now on.
#[pyfunction]
fn set_memory_limit(bytes: u64) {
    netloom_model::memory::set_limit(bytes);
}

/// Bytes that are free now, which bound what is taken from now on.
#[pyfunction]
fn set_free_memory(bytes: u64) {
    netloom_model::memory::set_free(bytes);
}

#[pymodule]
mod _core {
    #[pymodule_export]
    use super::cut::{cut_bound, with_insides};
    #[pymodule_export]
    use super::enumeration::Enumeration;
    #[pymodule_export]
    use super::failures::{failure_lines, is_failure, written_name};
    #[pymodule_export]
    use super::flow::{machine_params, machine_settings, simulate_flows};
    #[pymodule_export]
    use super::formats::{
        check_emit, detect_format, emit, expand_hostlist, fold_hostlist, foreign, hierarchy, lost, read_mapping,
        slurm_order, trace_format,
    };
    #[pymodule_export]
    use super::kept::restored;
    #[pymodule_export]
    use super::listed::listed_actions;
    #[pymodule_export]
    use super::mapping::{place, place_jobs, reorder};
    #[pymodule_export]
    use super::objects::{Network, Node, Programs, Routing, Schedule, Sends, Traffic};
    #[pymodule_export]
    use super::quantity::{parse_bytes, parse_bytes_per_s, parse_flops_per_s, parse_seconds};
    #[pymodule_export]
    use super::recording::Recording;
    #[pymodule_export]
    use super::registry::{canonical, catalogue, expected, kinds, parse_call, with_argument};
    #[pymodule_export]
    use super::scenario::{Job, Scenario, evaluate, evaluate_together, evaluators, simulated_share};
    #[pymodule_export]
    use super::search::{needs_clock, search, takes_clock, takes_split};
    #[pymodule_export]
    use super::sends::stream;
    #[pymodule_export]
    use super::set_free_memory;
    #[pymodule_export]
    use super::set_memory_limit;
    #[pymodule_export]
    use super::subnet::{forwarding, likely_levels, subnet, tables_deadlock};
    #[pymodule_export]
    use super::toml_spans::toml_spans;
    #[pymodule_export]
    use super::version;
}
