//! A problem in the form for the hot loops: slots, the distinct switches among them (*sites*; endpoints, for a routing that
//! looks at them; parts of nodes that are on several switches), one byte per pair of sites, the guest graph, and for each
//! site the slots near it.

use std::borrow::Cow;
use std::sync::OnceLock;

use netloom_model::distance::UNREACHED;
use netloom_model::{Fault, Faults, Mapping, NO_HOST, Network, Outcome, Progress};

use crate::codes;
use crate::each::{FEW_SITES, each};
use crate::guest::{Guest, Weigh};
use crate::places::Places;
use crate::problem::Problem;

/// Fewest and most slots that count as near a site.
const NEAR_MIN: usize = 4;
const NEAR_MAX: usize = 64;

/// A checked problem, ready for any objective and method.
pub struct Prepared<'a> {
    pub problem: Problem<'a>,
    /// Endpoint of each slot.
    pub endpoints: Vec<u32>,
    pub site_of_slot: Vec<u32>,
    /// Node of each slot, numbered 0, 1, ... over the nodes in use.
    pub node_of_slot: Vec<u32>,
    /// Node of each slot, where inside a node no message uses the network.
    pub closed_of_slot: Vec<u32>,
    /// Switch of each site.
    pub switches: Vec<u32>,
    /// The destination of messages to each site, as the routing takes it.
    pub ends: Vec<u32>,
    /// Hops between sites, row-major.
    pub distance: Cow<'a, [u8]>,
    /// Start.
    pub slot_of_rank: Vec<u32>,
    pub guest: Guest,
    /// What `guest` is weighed by, and the other one, made when first asked for.
    weigh: Weigh,
    other: OnceLock<Guest>,
    /// Row starts and slots of [`Prepared::near`], a row per site, or per node where nodes have several slots: made when
    /// first asked for, since only guided moves ask.
    near: OnceLock<(Vec<u32>, Vec<u32>)>,
    /// A fault while a move was scored; it ends every walk.
    pub fault: OnceLock<Faults>,
    /// Progress of the search that this is made for: it tells whether to end.
    pub(crate) progress: Option<&'a Progress>,
}

impl<'a> Prepared<'a> {
    /// O(sites² + flows log flows).
    ///
    /// # Errors
    /// `NL-O001` different numbers of ranks, `NL-O002` a matrix of another network, `NL-O003` slots that no path joins,
    /// `NL-A009` too much traffic.
    pub fn new(problem: &Problem<'a>, weigh: Weigh) -> Outcome<Prepared<'a>> {
        let Problem { network, distance, start, traffic, .. } = *problem;
        check(problem)?;
        let (endpoints, slot_of_rank): (Vec<u32>, Vec<u32>) = if problem.free {
            usable(network, start)
        } else {
            (start.endpoints().to_vec(), (0..start.ranks()).collect())
        };
        // Slots are one site where neither the routing nor a node can tell them apart.
        let end = |e: &u32| match problem.routing {
            Some(routing) if routing.by_endpoint() => network.switches() + *e / problem.slots.max(1),
            _ => network.endpoint_switch()[*e as usize],
        };
        let on = |e: &u32| network.endpoint_switch()[*e as usize];
        let spans = problem.spans_switches();
        let node = |e: &u32| if spans { problem.node_of(*e) } else { 0 };
        let mut sites: Vec<(u32, u32, u32)> = endpoints.iter().map(|e| (on(e), end(e), node(e))).collect();
        sites.sort_unstable();
        sites.dedup();
        let site = |e: &u32| sites.partition_point(|site| *site < (on(e), end(e), node(e))) as u32;
        let site_of_slot: Vec<u32> = endpoints.iter().map(site).collect();
        let (switches, ends): (Vec<u32>, Vec<u32>) = sites.iter().map(|site| (site.0, site.1)).unzip();
        let distance = if switches.len() == network.switches() as usize && switches == ends && !spans {
            Cow::Borrowed(distance.as_slice())
        } else {
            let row = |s: &(u32, u32, u32)| {
                let row = distance.row(s.0);
                let hops = |t: &(u32, u32, u32)| if spans && s.2 == t.2 { 0 } else { row[t.0 as usize] };
                sites.iter().map(hops).collect::<Vec<u8>>()
            };
            Cow::Owned(sites.iter().flat_map(row).collect())
        };
        check_distances(&distance, switches.len(), network.label())?;
        let node_of_slot = numbered(endpoints.iter().map(|e| problem.machine_of(*e)).collect());
        let closed_of_slot = numbered(endpoints.iter().map(|e| problem.node_of(*e)).collect());
        let guest = Guest::new(traffic, weigh, endpoints.len() as u32)?;
        let problem = *problem;
        Ok(Prepared {
            problem,
            endpoints,
            site_of_slot,
            node_of_slot,
            closed_of_slot,
            switches,
            ends,
            distance,
            slot_of_rank,
            guest,
            weigh,
            other: OnceLock::new(),
            near: OnceLock::new(),
            fault: OnceLock::new(),
            progress: None,
        })
    }

    /// The guest graph by this weight. O(1) for that of the search, O(flows + slots) once for the other one.
    ///
    /// # Errors
    /// `NL-A009` too much traffic.
    pub fn weighed(&self, weigh: Weigh) -> Outcome<&Guest> {
        if weigh == self.weigh {
            return Ok(&self.guest);
        }
        if let Some(known) = self.other.get() {
            return Ok(known);
        }
        let made = Guest::new(self.problem.traffic, weigh, self.slots())?;
        Ok(self.other.get_or_init(|| made))
    }

    pub fn ranks(&self) -> u32 {
        self.slot_of_rank.len() as u32
    }
    pub fn slots(&self) -> u32 {
        self.endpoints.len() as u32
    }
    /// Hops from one site to all.
    #[inline]
    pub fn row(&self, site: u32) -> &[u8] {
        let n = self.switches.len();
        &self.distance[site as usize * n..(site as usize + 1) * n]
    }
    /// Slots near a slot: those of its node, of its site, then the nearest ones in whole shells until there are a few.
    #[inline]
    pub fn near(&self, slot: u32) -> &[u32] {
        let row = if self.shared() { &self.node_of_slot } else { &self.site_of_slot }[slot as usize] as usize;
        let (offsets, slots) = self.near.get_or_init(|| self.all_near());
        &slots[offsets[row] as usize..offsets[row + 1] as usize]
    }
    /// True if nodes may have several slots.
    fn shared(&self) -> bool {
        self.problem.per_node() > 1
    }
    fn all_near(&self) -> (Vec<u32>, Vec<u32>) {
        let by_site = near(&self.distance, self.switches.len(), &self.site_of_slot);
        if !self.shared() {
            return by_site;
        }
        let mut on_node: Vec<Vec<u32>> =
            vec![Vec::new(); self.node_of_slot.iter().max().map_or(0, |n| *n as usize + 1)];
        for (slot, &node) in self.node_of_slot.iter().enumerate() {
            on_node[node as usize].push(slot as u32);
        }
        let (mut offsets, mut slots) = (vec![0u32], Vec::new());
        for own in on_node {
            let site = own.first().map_or(0, |s| self.site_of_slot[*s as usize]) as usize;
            let others = &by_site.1[by_site.0[site] as usize..by_site.0[site + 1] as usize];
            slots.extend(thinned(&own, NEAR_MAX / 2));
            slots.extend(thinned(others, NEAR_MAX / 2));
            offsets.push(slots.len() as u32);
        }
        (offsets, slots)
    }
    /// Where the ranks are at the start.
    pub fn places(&self) -> Places {
        Places::new(&self.slot_of_rank, &self.site_of_slot)
    }
}

/// Blocks of `size` consecutive endpoints, numbered in their order without those that are not used. O(endpoints log
/// endpoints).
pub fn blocks(endpoints: &[u32], size: u32) -> Vec<u32> {
    let block = |e: &u32| *e / size.max(1);
    let mut used: Vec<u32> = endpoints.iter().map(block).collect();
    used.sort_unstable();
    used.dedup();
    endpoints.iter().map(|e| used.partition_point(|n| *n < block(e)) as u32).collect()
}

/// The numbers replaced by 0, 1, ... in their order. O(numbers log numbers).
fn numbered(numbers: Vec<u32>) -> Vec<u32> {
    let mut used = numbers.clone();
    used.sort_unstable();
    used.dedup();
    numbers.into_iter().map(|number| used.partition_point(|n| *n < number) as u32).collect()
}

/// All slots that have room for a rank, and the number of the start's slots among them.
fn usable(network: &Network, start: &Mapping) -> (Vec<u32>, Vec<u32>) {
    let all = 0..network.endpoints();
    match network.hosts() {
        Some(hosts) if all.clone().any(|slot| hosts.host(slot) == NO_HOST) => {
            let slots: Vec<u32> = all.filter(|slot| hosts.host(*slot) != NO_HOST).collect();
            let at = |slot: &u32| slots.partition_point(|s| s < slot) as u32;
            let started = start.endpoints().iter().map(at).collect();
            (slots, started)
        }
        _ => (all.collect(), start.endpoints().to_vec()),
    }
}

/// At most `most` of a list, evenly.
fn thinned(list: &[u32], most: usize) -> impl Iterator<Item = u32> + '_ {
    let take = list.len().min(most);
    (0..take).map(move |i| list[i * list.len() / take])
}

fn check(problem: &Problem<'_>) -> Outcome<()> {
    let Problem { network, distance, start, traffic, schedule, .. } = *problem;
    let ranks = start.ranks();
    for (label, other) in [(&traffic.label, Some(traffic.ranks)), (&traffic.label, schedule.map(|s| s.ranks))] {
        if let Some(other) = other.filter(|o| *o != ranks) {
            let sentence = format!("the start mapping has {ranks} ranks, the workload {other}");
            return Err(Fault::say(&codes::RANKS_DIFFER, label, sentence).into());
        }
    }
    if distance.switches() != network.switches() {
        let sentence =
            format!("the hop matrix is for {} switches, the network has {}", distance.switches(), network.switches());
        return Err(Fault::say(&codes::DISTANCES_DIFFER, network.label(), sentence).into());
    }
    Ok(())
}

fn check_distances(distance: &[u8], sites: usize, label: &str) -> Outcome<()> {
    if distance.contains(&UNREACHED) {
        let sentence = "some of the slots cannot reach each other";
        return Err(Fault::say(&codes::NO_PATH, label, sentence).hint("use slots of one connected part").into());
    }
    // In tiles, so that both halves of a large matrix are read by cache lines.
    let tiles: Vec<usize> = (0..sites).step_by(TILE).collect();
    let skewed = |first: usize| {
        let rows = first..(first + TILE).min(sites);
        (0..=first).step_by(TILE).any(|left| {
            let columns = left..(left + TILE).min(sites);
            rows.clone().any(|a| columns.clone().any(|b| distance[a * sites + b] != distance[b * sites + a]))
        })
    };
    if each(tiles, 1, skewed).contains(&true) {
        let sentence = "the hop matrix is not symmetric, which cables are";
        return Err(Fault::say(&codes::DISTANCES_DIFFER, label, sentence).into());
    }
    Ok(())
}

const TILE: usize = 64;

/// Near slots of each site in CSR form. A shell that is too large is thinned evenly. O(sites² + slots).
fn near(distance: &[u8], sites: usize, site_of_slot: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut on_site: Vec<Vec<u32>> = vec![Vec::new(); sites];
    for (slot, &site) in site_of_slot.iter().enumerate() {
        on_site[site as usize].push(slot as u32);
    }
    let of_site = |site: usize| -> Vec<u32> {
        let row = &distance[site * sites..(site + 1) * sites];
        let mut at = [0usize; 256];
        for (&d, slots) in row.iter().zip(&on_site) {
            at[d as usize] += slots.len();
        }
        let mut list: Vec<u32> = Vec::new();
        for (d, _) in at.iter().enumerate().filter(|(_, count)| **count > 0) {
            if list.len() >= NEAR_MIN {
                break;
            }
            let shell: Vec<u32> = row
                .iter()
                .zip(&on_site)
                .filter(|(r, _)| **r as usize == d)
                .flat_map(|(_, slots)| slots)
                .copied()
                .collect();
            let room = NEAR_MAX - list.len();
            list.extend(thinned(&shell, room));
        }
        list
    };
    let lists: Vec<Vec<u32>> = each((0..sites).collect(), FEW_SITES, of_site);
    let mut offsets = vec![0u32];
    for list in &lists {
        offsets.push(offsets[offsets.len() - 1] + list.len() as u32);
    }
    (offsets, lists.concat())
}
