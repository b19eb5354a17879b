//! Fugaku's coordinate files for `mpiexec -vcoordfile F`: one line per rank, the logical torus coordinate of its node.
//!
//! Source: Supercomputer Fugaku users guide, section 6.6, rank map.

use std::fmt::Write as _;

use netloom_model::{Bound, Fault, Mapping, Network, Outcome, Row};

use crate::codes;
use crate::row::Format;

pub const ROW: Row<Format<Mapping>> = Row {
    name: "vcoordfile",
    aliases: &["fugaku"],
    summary: "Fugaku's coordinate file for `mpiexec -vcoordfile F`: `(x,y,z)` of the node of every rank.",
    params: &[],
    example: "vcoordfile",
    restrictions: "Only for tori and meshes of 1 to 3 dimensions; holds no cores: ranks of a switch must be on its endpoints in order.",
    source: "Supercomputer Fugaku users guide 6.6",
    build: Format { extensions: &["vcoord"], begins: |_| false, read: None, write: Some(write) },
};

/// O(ranks).
fn write(mapping: &Mapping, network: &Network, _bound: &Bound) -> Outcome<Vec<u8>> {
    let refused = |sentence: String| Fault::say(&codes::CANNOT_EXPRESS, ROW.name, sentence).hint("write rankfile");
    let grid = network.structure().grid.as_ref().filter(|grid| grid.dims.len() <= 3 && !grid.complete);
    let Some(grid) = grid else {
        return Err(refused("vcoordfile needs a torus or mesh of 1 to 3 dimensions".into()).into());
    };
    let mut used = vec![0; network.switches() as usize];
    let mut out = String::new();
    for (rank, &endpoint) in mapping.endpoints().iter().enumerate() {
        let switch = network.endpoint_switch()[endpoint as usize];
        let due = &mut used[switch as usize];
        if network.endpoints_of(switch).get(*due) != Some(&endpoint) {
            return Err(refused(format!("rank {rank} is not on the first free place of switch {switch}")).into());
        }
        *due += 1;
        let mut stride = network.switches();
        let coordinates: Vec<String> = grid
            .dims
            .iter()
            .map(|extent| {
                stride /= (*extent).max(1);
                (switch / stride.max(1) % (*extent).max(1)).to_string()
            })
            .collect();
        let _ = writeln!(out, "({})", coordinates.join(","));
    }
    Ok(out.into_bytes())
}
