//! The contract of every routing, registered or not.

use std::collections::BTreeSet;

use netloom_model::fault::{Fault, Faults, Outcome};
use netloom_model::{Deadlock, Network, Path, PathList, Progress, Routing, Way, deadlock, steps};

use netloom_model::deadlock::{destinations, ends};

/// Checks the paths of all pairs of switches that have endpoints (of all switches if there are none): each is
/// contiguous, leads from source to destination and stays within the declared channels; the shares of a pair are positive
/// and sum to 1; a deterministic routing has one path per pair; channels that are said to be ordered have no cycle; listed and drawn paths are those that follow hop by hop;
/// packets of a routing by switch go on alike, and its stages keep what was reached.
/// O(pairs · paths · hops).
///
/// # Errors
/// `NL-R008` for the first broken promise of each pair's source, and those of the routing.
pub fn check_routing(network: &Network, routing: &dyn Routing) -> Outcome<()> {
    let mut faults = Faults::none();
    let (ends, destinations) = (ends(network), destinations(network, routing));
    let mut paths = Vec::new();
    for &source in &ends {
        for &destination in &destinations {
            routing.paths(source, destination, &mut paths)?;
            let whole = broken(network, routing, source, destination, &paths);
            if let Some(sentence) = whole.or(differs(network, (routing, source, destination), &paths)?) {
                let place = format!("{} on {}", routing.label(), network.label());
                let sentence = format!("from switch {source} to switch {destination}: {sentence}");
                faults.push(Fault::say(&netloom_model::fault::codes::BROKEN, place, sentence));
                break;
            }
        }
    }
    if routing.is_ordered()
        && let Deadlock::Cycle(cycle) = deadlock(network, routing, &Progress::new())?
    {
        let place = format!("{} on {}", routing.label(), network.label());
        let sentence = format!("says that its channels are ordered, and packets may wait in the cycle {cycle:?}");
        faults.push(Fault::say(&netloom_model::fault::codes::BROKEN, place, sentence));
    }
    faults.or(())
}

/// Words that paths are drawn with.
const WORDS: [u64; 4] = [0, 1 << 62, u64::MAX / 3, u64::MAX];

/// Where a routing answers faster than by what follows from [`Routing::towards`], and otherwise.
fn differs(
    network: &Network,
    (routing, source, destination): (&dyn Routing, u32, u32),
    paths: &[Path],
) -> Outcome<Option<String>> {
    let mut listed = PathList::new();
    routing.list(source, destination, &mut listed)?;
    let same = |(path, (links, share)): (&Path, (&[u32], f64))| path.links == links && path.fraction == share;
    if listed.len() != paths.len() || !paths.iter().zip(listed.iter()).all(same) {
        return Ok(Some("paths that are listed without channels are others".into()));
    }
    for word in WORDS {
        let mut drawn = Vec::new();
        routing.draw(source, destination, word, &mut drawn)?;
        if !paths.iter().any(|path| path.links == drawn) {
            return Ok(Some(format!("the drawn path {drawn:?} is not listed")));
        }
    }
    if source == routing.switch_of(destination) {
        return Ok(None);
    }
    let mut derived = Vec::new();
    let way = routing.towards(destination);
    if routing.is_by_switch()
        && let Some(switch) = unlike(network, &*way, source)
    {
        return Ok(Some(format!("packets at switch {switch} do not all go on alike")));
    }
    if let Some(stages) = routing.stages()
        && !paths.iter().all(|path| in_stages(network, &stages, path, routing.switch_of(destination)))
    {
        return Ok(Some("a path leaves the coordinate of an earlier stage".into()));
    }
    steps::paths(&*way, source, routing.split(), routing.limit(), &mut derived)
        .map_err(|why| routing.refuse(source, destination, why))?;
    let shares = |all: &[Path]| {
        let mut rows: Vec<_> = all.iter().map(|p| (p.links.clone(), p.channels.clone(), p.fraction)).collect();
        rows.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
        rows
    };
    let (ours, theirs) = (shares(paths), shares(&derived));
    let equal = ours.len() == theirs.len()
        && ours.iter().zip(&theirs).all(|(a, b)| a.0 == b.0 && a.1 == b.1 && (a.2 - b.2).abs() <= 1e-9);
    Ok((!equal).then(|| format!("{} paths, and {} hop by hop, differ", ours.len(), theirs.len())))
}

/// A switch on a route at which packets from `source` do not go on as those that start there.
fn unlike(network: &Network, way: &dyn Way, source: u32) -> Option<u32> {
    let starts = |switch: u32| {
        let mut starts = Vec::new();
        way.starts(switch, &mut starts);
        starts
    };
    let steps = |place: u64| {
        let mut steps = Vec::new();
        way.steps(place, &mut steps);
        steps
    };
    let links = |place: u64| steps(place).iter().map(|step| step.link).collect::<Vec<u32>>();
    let (mut open, mut seen) =
        (starts(source).into_iter().map(|place| (source, place)).collect::<Vec<_>>(), BTreeSet::new());
    while let Some((switch, place)) = open.pop() {
        if !seen.insert(place) {
            continue;
        }
        match starts(switch)[..] {
            [start] if links(start) == links(place) => {}
            _ => return Some(switch),
        }
        open.extend(steps(place).into_iter().map(|step| (network.heads()[step.link as usize], step.place)));
    }
    None
}

/// True if `path` reaches the coordinates of `end` one after the other.
fn in_stages(network: &Network, stages: &[Vec<u32>], path: &Path, end: u32) -> bool {
    let reached = |at: u32| stages.iter().take_while(|of| of[at as usize] == of[end as usize]).count();
    path.links.iter().all(|&link| {
        let (from, to) = (network.tails()[link as usize], network.heads()[link as usize]);
        let stage = reached(from);
        // Only the coordinate of the stage changes.
        reached(to) >= stage
            && stages.iter().enumerate().all(|(s, of)| s == stage || of[from as usize] == of[to as usize])
    })
}

fn broken(network: &Network, routing: &dyn Routing, source: u32, destination: u32, paths: &[Path]) -> Option<String> {
    let total: f64 = paths.iter().map(|p| p.fraction).sum();
    if (total - 1.0).abs() > 1e-9 || paths.iter().any(|p| p.fraction.is_nan() || p.fraction <= 0.0) {
        return Some(format!("the shares of {} paths sum to {total}", paths.len()));
    }
    if routing.is_deterministic() && paths.len() != 1 {
        return Some(format!("{} paths of a deterministic routing", paths.len()));
    }
    paths.iter().find_map(|path| {
        if path.channels.len() != path.links.len() {
            return Some(format!("{} channels for {} links", path.channels.len(), path.links.len()));
        }
        if path.channels.iter().any(|c| *c >= routing.virtual_channels()) {
            return Some(format!("channels {:?} of {}", path.channels, routing.virtual_channels()));
        }
        let mut at = source;
        for &link in &path.links {
            if network.tails().get(link as usize) != Some(&at) {
                return Some(format!("link {link} does not leave switch {at}"));
            }
            at = network.heads()[link as usize];
        }
        (at != routing.switch_of(destination)).then(|| format!("a path ends at switch {at}"))
    })
}
