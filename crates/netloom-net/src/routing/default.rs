//! The default routing of a network: the one that machines of its kind use.

use netloom_model::Network;

use super::legal::is_joined_by_levels;

/// One path per destination, spread over equal links, on any network.
const ONE_PATH: &str = "single-minimal(tie=destination)";

/// What `minimal` lists between two switches.
const MOST_PATHS: u64 = 4096;
const MOST_HOPS: u32 = 255;

/// One path per destination where fabrics are run by forwarding tables. Trees, whole, with failures or from a file:
/// `d-mod-k`, as long as up and down paths join their endpoints. Dragonfly+, rail clusters, and trees whose failures leave
/// only other ways: `single-minimal(tie=destination)`. Dragonflies: `group-minimal`, which replaces their adaptive routing.
/// Butterflies: `destination-tag`.
/// Clusters of SimGrid: the routes that SimGrid takes. Elsewhere all shortest paths in equal shares, which replace routing
/// that adapts among them; grids that have too many of these take them dimension by dimension.
pub fn default_routing(network: &Network) -> String {
    if let Some(order) = simgrid_torus(network) {
        return format!("dimension-ordered(order=[{order}],tie=simgrid)");
    }
    of_kind(network).into()
}

/// The dimensions of a torus cluster of SimGrid, which goes along the fastest varying one first.
fn simgrid_torus(network: &Network) -> Option<String> {
    let grid = network.structure().grid.as_ref().filter(|_| network.structure().family.is_empty())?;
    let order = (0..grid.dims.len()).rev().map(|d| d.to_string()).collect::<Vec<_>>().join(",");
    network.failed().is_none().then_some(order)
}

fn of_kind(network: &Network) -> &'static str {
    let structure = network.structure();
    if structure.fly.is_some() {
        return "destination-tag";
    }
    let whole_tree = structure.tree.is_some() && structure.levels.is_some() && network.failed().is_none();
    // What subnet managers route: with levels it is a tree, whole or not.
    let by_tables = structure.rails.is_some() || structure.family == "dragonfly_plus" || structure.levels.is_some();
    let groups =
        structure.family.starts_with("dragonfly") || (structure.family.is_empty() && structure.groups.is_some());
    if groups && structure.family.is_empty() && structure.chassis.is_some() {
        // A cluster of SimGrid, with its routes.
        "group-minimal(inside=chassis)"
    } else if whole_tree || (!groups && is_joined_by_levels(network)) {
        "d-mod-k"
    } else if by_tables && (!groups || structure.family == "dragonfly_plus") {
        ONE_PATH
    } else if groups {
        "group-minimal"
    } else if few_paths(network) {
        "minimal"
    } else {
        "dimension-ordered(tie=split)"
    }
}

/// False for a grid whose farthest switches have more hops or shortest paths between them than `minimal` lists.
fn few_paths(network: &Network) -> bool {
    let Some(grid) = &network.structure().grid else { return true };
    let sides = || grid.dims.iter().zip(&grid.wrap);
    let hops = |(&side, &wrap): (&u32, &bool)| match (grid.complete, wrap) {
        (true, _) => side.saturating_sub(1).min(1),
        (false, true) => side / 2,
        (false, false) => side.saturating_sub(1),
    };
    // Orders of the hops: a multinomial coefficient, built up factor by factor.
    let (mut all, mut ways) = (0u32, 1u64);
    for side in sides() {
        for hop in 1..=hops(side) {
            all += 1;
            ways = ways.saturating_mul(u64::from(all)) / u64::from(hop);
            if all > MOST_HOPS || ways > MOST_PATHS << 16 {
                return false;
            }
        }
    }
    let both_ways = sides().filter(|(side, wrap)| **wrap && !grid.complete && **side > 2 && **side % 2 == 0).count();
    ways << both_ways.min(32) <= MOST_PATHS
}
