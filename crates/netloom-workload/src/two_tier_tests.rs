//! Table 8.2 of Jain 2016: what collectives cost on `sn` groups of `nps` nodes by its bandwidth model, against the algorithms
//! that do not know the network.
//!
//! The model charges `n·β` for `n` bytes over one link and `γ` per byte combined; latencies and cores of one node are free.
//! `n` is the size of all data (erratum E4-27): the vector, or the blocks of all ranks together.

use netloom_model::Collective;

/// Factors of `n·β` and `n·γ`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelCost {
    pub beta: f64,
    pub gamma: f64,
}

/// One row of table 8.2.
#[derive(Clone, Copy, Debug)]
pub struct CostRow {
    pub collective: Collective,
    /// Registered algorithms that the two columns are about.
    pub base_algorithm: &'static str,
    pub two_tier_algorithm: &'static str,
    /// `(β, γ)` of the base per `(p - 1)/p`.
    base_factors: (f64, f64),
    /// `β` of `(1/nps, 1/sn)`.
    two_tier_beta: fn(f64, f64) -> f64,
    two_tier_gamma: f64,
}

impl CostRow {
    /// Cost on `ranks` ranks of the algorithm that does not know the network. O(1).
    pub fn base_cost(&self, ranks: u32) -> ModelCost {
        let share = 1.0 - 1.0 / f64::from(ranks.max(1));
        ModelCost { beta: self.base_factors.0 * share, gamma: self.base_factors.1 * share }
    }

    /// Cost of the two-tier algorithm on `groups` (sn) times `nodes` (nps), as printed; see [`CostRow::holds`]. O(1).
    pub fn two_tier_cost(&self, groups: u32, nodes: u32) -> ModelCost {
        let [node, group] = [nodes, groups].map(|count| 1.0 / f64::from(count.max(1)));
        ModelCost { beta: (self.two_tier_beta)(node, group), gamma: self.two_tier_gamma }
    }

    /// `β` of the schedule with root 0 and one core per node, in the meaning of the printed factor: for scatter and
    /// gather the busier class of links without the nodes' own share, for broadcast the steps inside groups, for the
    /// others the busiest link of every step, summed. `None` below two nodes or two groups, for broadcast three: a
    /// class of links, or a step, has nothing to carry there. O(1).
    ///
    /// A node of a group has cables to `ceil(groups/nodes)` others at most, one of the root's group but the root to
    /// `ceil((groups - 1)/nodes)`; `min(nodes, groups - 1)` nodes of the root's group have one at all, and take a chunk of a
    /// broadcast each.
    pub fn scheduled_beta(&self, groups: u32, nodes: u32) -> Option<f64> {
        let least = if self.collective == Collective::Broadcast { 3 } else { 2 };
        if nodes < 2 || groups < least {
            return None;
        }
        let (attached, from_root) = (groups.div_ceil(nodes), (groups - 1).div_ceil(nodes));
        let own = 1.0 / (f64::from(groups) * f64::from(nodes));
        let of_groups = |count: u32| f64::from(count) / f64::from(groups);
        Some(match self.collective {
            Collective::Scatter | Collective::Gather => of_groups(from_root),
            Collective::Broadcast => 3.0 / f64::from(nodes.min(groups - 1)),
            Collective::Reduce => 2.0 * own + of_groups(2 + attached + from_root),
            _ => own + of_groups(1 + attached),
        })
    }

    /// True where the printed `β` is that of the schedule; for reduce, where the schedule has `1/nps + 2/(sn nps)` more. O(1).
    pub fn holds(&self, groups: u32, nodes: u32) -> bool {
        let divides = nodes > 0 && groups.is_multiple_of(nodes);
        nodes > 1
            && groups > 1
            && match self.collective {
                Collective::Scatter | Collective::Gather => divides || groups <= nodes,
                Collective::Broadcast => groups > nodes,
                Collective::Reduce => divides || nodes == 2,
                _ => divides,
            }
    }
}

/// Table 8.2, in its order.
pub static TABLE_8_2: [CostRow; 6] = [
    CostRow {
        collective: Collective::Scatter,
        base_algorithm: "scatter:binomial",
        two_tier_algorithm: "scatter:two-tier",
        // Printed: (p-1)/p n beta
        // Two-tier, printed: n beta max(1/nps, 1/sn)
        base_factors: (1.0, 0.0),
        two_tier_beta: f64::max,
        two_tier_gamma: 0.0,
    },
    CostRow {
        collective: Collective::Gather,
        base_algorithm: "gather:binomial",
        two_tier_algorithm: "gather:two-tier",
        // Printed: (p-1)/p n beta
        // Two-tier, printed: n beta max(1/nps, 1/sn)
        base_factors: (1.0, 0.0),
        two_tier_beta: f64::max,
        two_tier_gamma: 0.0,
    },
    CostRow {
        collective: Collective::Allgather,
        base_algorithm: "allgather:ring",
        two_tier_algorithm: "allgather:two-tier",
        // Printed: (p-1)/p n beta
        // Two-tier, printed: n beta (1/nps + 1/sn + 1/(sn nps))
        base_factors: (1.0, 0.0),
        two_tier_beta: |node, group| node + group + group * node,
        two_tier_gamma: 0.0,
    },
    CostRow {
        collective: Collective::Broadcast,
        base_algorithm: "broadcast:scatter-ring",
        two_tier_algorithm: "broadcast:two-tier",
        // Printed: 2 (p-1)/p n beta
        // Two-tier, printed: n beta 3/nps
        base_factors: (2.0, 0.0),
        two_tier_beta: |node, _| 3.0 * node,
        two_tier_gamma: 0.0,
    },
    CostRow {
        collective: Collective::ReduceScatter,
        base_algorithm: "reduce-scatter:pairwise",
        two_tier_algorithm: "reduce-scatter:two-tier",
        // Printed: (p-1)/p (n beta + n gamma)
        // Two-tier, printed: n beta (1/nps + 1/sn + 1/(sn nps)) + 2 n gamma
        base_factors: (1.0, 1.0),
        two_tier_beta: |node, group| node + group + group * node,
        two_tier_gamma: 2.0,
    },
    CostRow {
        collective: Collective::Reduce,
        base_algorithm: "reduce:rabenseifner",
        two_tier_algorithm: "reduce:two-tier",
        // Printed: (p-1)/p (2 n beta + n gamma)
        // Two-tier, printed: n beta (1/nps + 2/sn) + 2 n gamma
        base_factors: (2.0, 1.0),
        two_tier_beta: |node, group| node + 2.0 * group,
        two_tier_gamma: 2.0,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;
    use netloom_model::schedule::Rounds;
    use netloom_model::{Call, Schedule};
    use std::collections::HashMap;

    fn made(text: &str, ranks: u32, size: u64) -> Schedule {
        build(&Call::parse(text).unwrap(), ranks.into(), 0, size as i64).unwrap()
    }

    fn row(collective: Collective) -> &'static CostRow {
        TABLE_8_2.iter().find(|row| row.collective == collective).unwrap()
    }

    /// Bytes over the busiest pair of nodes of every step with messages: within groups, and between groups.
    fn heaviest(schedule: &Schedule, nodes: u32) -> (Vec<u64>, Vec<u64>) {
        let mut pairs: HashMap<(u32, u32, u32), u64> = HashMap::new();
        schedule.for_each_message(|m| *pairs.entry((m.step, m.src, m.dst)).or_default() += m.bytes);
        let mut most = [vec![0; schedule.steps as usize], vec![0; schedule.steps as usize]];
        for ((step, src, dst), bytes) in pairs {
            let of_class = &mut most[usize::from(src / nodes != dst / nodes)][step as usize];
            *of_class = bytes.max(*of_class);
        }
        let [mut near, mut far] = most;
        near.retain(|bytes| *bytes > 0);
        far.retain(|bytes| *bytes > 0);
        (near, far)
    }

    /// Where `nodes` divides `groups` several times: every printed factor holds.
    const MACHINES: [(u32, u32); 4] = [(64, 16), (8, 4), (12, 4), (24, 3)];

    /// `(n, busiest L1 link per step, busiest L2 link per step)` of the two-tier schedule, one core per node.
    fn counted(collective: Collective, groups: u32, nodes: u32) -> (f64, Vec<f64>, Vec<f64>) {
        let ranks = groups * nodes;
        let total = u64::from(ranks) * 840 * 64;
        let size = if collective.name().contains("reduce") && collective != Collective::ReduceScatter
            || collective == Collective::Broadcast
        {
            total
        } else {
            total / u64::from(ranks)
        };
        let text = format!("{}({groups},{nodes},1)", row(collective).two_tier_algorithm);
        let (near, far) = heaviest(&made(&text, ranks, size), nodes);
        let floats = |v: Vec<u64>| v.into_iter().map(|b| b as f64).collect();
        (total as f64, floats(near), floats(far))
    }

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "{a} {b}");
    }

    /// Allgather and reduce-scatter: the sum of the busiest link of every step is the printed factor.
    #[test]
    fn steps_one_after_the_other() {
        for (groups, nodes) in MACHINES {
            for collective in [Collective::Allgather, Collective::ReduceScatter] {
                let (n, near, far) = counted(collective, groups, nodes);
                let sum = near.iter().chain(&far).sum::<f64>() / n;
                close(sum, row(collective).two_tier_cost(groups, nodes).beta);
            }
        }
    }

    /// Scatter, gather and broadcast: the printed factor is that of the busier class of links, as if the classes worked at
    /// the same time; scatter and gather leave out the nodes' own share, 1/(sn nps).
    #[test]
    fn classes_at_the_same_time() {
        for (groups, nodes) in MACHINES {
            for collective in [Collective::Scatter, Collective::Gather] {
                let (n, near, far) = counted(collective, groups, nodes);
                let own = n / f64::from(groups * nodes);
                assert!(near.contains(&own));
                let spread = near.iter().sum::<f64>() - own;
                close(spread.max(far.iter().sum()) / n, row(collective).two_tier_cost(groups, nodes).beta);
            }
            let (n, near, far) = counted(Collective::Broadcast, groups, nodes);
            close(near.iter().sum::<f64>() / n, row(Collective::Broadcast).two_tier_cost(groups, nodes).beta);
            close(far.iter().sum::<f64>() / n, 2.0 / f64::from(nodes));
        }
    }

    /// The printed factors and those of the schedules on every small machine: `holds` has no exception, to either side.
    #[test]
    fn printed_factors_hold_where_they_are_said_to() {
        for (groups, nodes) in (1..=19).flat_map(|g| (1..=8).map(move |m| (g, m))) {
            let [node, group] = [nodes, groups].map(|count| 1.0 / f64::from(count));
            for row in &TABLE_8_2 {
                let (n, near, far) = counted(row.collective, groups, nodes);
                let (near, far) = (near.iter().sum::<f64>() / n, far.iter().sum::<f64>() / n);
                let (found, left_out) = match row.collective {
                    Collective::Scatter | Collective::Gather => ((near - node * group).max(far), 0.0),
                    Collective::Broadcast => (near, 0.0),
                    Collective::Reduce => (near + far, node + 2.0 * node * group),
                    _ => (near + far, 0.0),
                };
                let printed = row.two_tier_cost(groups, nodes).beta + left_out;
                let same = (found - printed).abs() < 1e-9;
                assert_eq!(same, row.holds(groups, nodes), "{} {groups} x {nodes}: {found} {printed}", row.collective);
                if let Some(scheduled) = row.scheduled_beta(groups, nodes) {
                    close(found, scheduled);
                    assert!(row.collective != Collective::Broadcast || (far - found * 2.0 / 3.0).abs() < 1e-9);
                } else {
                    assert!(nodes == 1 || groups < 3);
                }
            }
        }
        // As many groups as nodes: the root's own node has no cable, so that three chunks go out, not four.
        close(row(Collective::Broadcast).scheduled_beta(4, 4).unwrap(), 1.0);
        close(row(Collective::Scatter).scheduled_beta(6, 4).unwrap(), 2.0 / 6.0);
    }

    /// Reduce: the count of the schedule exceeds the printed factor by the bytes that reach the root over its group's
    /// links (1/nps) and the shares of single nodes, on the way out and back (2/(sn nps)).
    #[test]
    fn reduce_leaves_out_the_last_leg() {
        for (groups, nodes) in MACHINES {
            let (n, near, far) = counted(Collective::Reduce, groups, nodes);
            let [node, group] = [nodes, groups].map(|count| 1.0 / f64::from(count));
            let sum = near.iter().chain(&far).sum::<f64>() / n;
            close(sum - row(Collective::Reduce).two_tier_cost(groups, nodes).beta, node + 2.0 * node * group);
        }
    }

    /// The parts of either class of links, as the table of the docs has them.
    #[test]
    fn shares_of_each_class() {
        for (groups, nodes) in MACHINES {
            let [node, group] = [nodes, groups].map(|count| 1.0 / f64::from(count));
            let own = node * group;
            for (collective, near, far) in [
                (Collective::Scatter, node + own, group),
                (Collective::Gather, node + own, group),
                (Collective::Broadcast, 3.0 * node, 2.0 * node),
                (Collective::Allgather, node + own, group),
                (Collective::ReduceScatter, node + own, group),
                (Collective::Reduce, 2.0 * (node + own), 2.0 * group),
            ] {
                let (n, found_near, found_far) = counted(collective, groups, nodes);
                close(found_near.iter().sum::<f64>() / n, near);
                close(found_far.iter().sum::<f64>() / n, far);
            }
            let base = made(&format!("broadcast:two-tier({groups},{nodes},1,base=true)"), groups * nodes, 4096);
            assert_eq!(heaviest(&base, nodes), (vec![4096, 4096], vec![4096]));
        }
    }

    /// No rank combines more than twice the vector: an owner in its node, then a leader.
    #[test]
    fn combined_bytes_stay_below_gamma() {
        let machines = MACHINES.into_iter().flat_map(|(groups, nodes)| [(groups, nodes, 1), (groups, nodes, 3)]);
        for (groups, nodes, cores) in machines {
            for collective in [Collective::ReduceScatter, Collective::Reduce] {
                let ranks = groups * nodes * cores;
                let text = format!("{}({groups},{nodes},{cores})", row(collective).two_tier_algorithm);
                let whole = 4096 * u64::from(ranks);
                let schedule = made(&text, ranks, if collective == Collective::Reduce { whole } else { 4096 });
                let Rounds::Explicit { transfers, ranges, .. } = &schedule.rounds else { panic!("listed") };
                let mut combined = vec![0u64; ranks as usize];
                for t in transfers.iter().filter(|t| t.combine) {
                    let held = &ranges[t.first_range as usize..(t.first_range + t.ranges) as usize];
                    combined[t.dst as usize] += held.iter().map(|r| schedule.blocks.bytes(*r)).sum::<u64>();
                }
                let most = *combined.iter().max().unwrap() as f64 / whole as f64;
                let [node, group] = [nodes, groups].map(|count| 1.0 / f64::from(count));
                // cpn-1 parts of n/cpn; (nps-1) shares of n/nps, one of n/nps, and nps-1 of n/(sn nps): less than the
                // printed 2.
                close(most, 1.0 - 1.0 / f64::from(cores) + 1.0 + group * (1.0 - node));
                assert!(most <= row(collective).two_tier_cost(groups, nodes).gamma);
            }
        }
    }

    /// Bytes that the busiest rank of a base algorithm sends or receives.
    #[test]
    fn base_costs_are_those_of_the_algorithms() {
        let p = 64u32;
        let total = 4096 * u64::from(p);
        for row in &TABLE_8_2 {
            let vector = matches!(row.collective, Collective::Broadcast | Collective::Reduce);
            let schedule = made(row.base_algorithm, p, if vector { total } else { 4096 });
            let mut moved = vec![[0u64; 2]; p as usize];
            schedule.for_each_message(|m| {
                moved[m.src as usize][0] += m.bytes;
                moved[m.dst as usize][1] += m.bytes;
            });
            let most = moved.iter().flatten().max().unwrap();
            close(*most as f64 / total as f64, row.base_cost(p).beta);
        }
    }

    /// The figures of 8.1.3 for 64 groups of 16 nodes (claim J47).
    #[test]
    fn figures_of_the_machine() {
        let beta = |collective| row(collective).two_tier_cost(64, 16).beta;
        close(beta(Collective::Scatter), 1.0 / 16.0);
        close(beta(Collective::Allgather), 81.0 / 1024.0);
        close(beta(Collective::Broadcast), 3.0 / 16.0);
        close(beta(Collective::Reduce), 3.0 / 32.0);
        // 8.1.3 states a speed-up of nps/3 for broadcast; the table gives 2 nps/3 (erratum E4-26).
        let speed_up = row(Collective::Broadcast).base_cost(1 << 14).beta / beta(Collective::Broadcast);
        assert!((speed_up - 2.0 * 16.0 / 3.0).abs() < 1e-3, "{speed_up}");
    }
}
