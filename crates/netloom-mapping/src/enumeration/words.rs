//! Which orders the options of launchers can express.
//!
//! Slurm distributes tasks over nodes, then over the sockets of a node; `plane=N` gives blocks of N tasks to nodes in turn
//! and binds those of a node to its cores in order (srun(1), option `--distribution`; plug-in task/affinity). Open MPI 5
//! takes the objects of one level in turn, node by node or, with `span`, over all nodes (mpirun(1), `--map-by`). Both fill
//! the cores of an object in order. Open MPI 4 ranks in another way, which is not modelled here.

use netloom_model::fault::codes::BAD_VALUE;
use netloom_model::fault::nearest;
use netloom_model::{Fault, Levels, Outcome};

/// Names of levels that launchers know, with the word of Open MPI 5.
const OBJECTS: &[(&str, &str)] = &[
    ("node", "node"),
    ("socket", "package"),
    ("numa", "numa"),
    ("l3cache", "l3cache"),
    ("l2cache", "l2cache"),
    ("core", "core"),
];

/// How far inside a level is. NUMA nodes, sockets and L3 caches contain each other in either order.
fn depth_of(name: &str) -> usize {
    ["node", "socket", "l2cache", "core"].iter().position(|own| *own == name).unwrap_or(1)
}

/// Levels by name: what a launcher takes for a node, a socket, ...
#[derive(Clone, Debug, PartialEq)]
pub struct Names(Vec<String>);

impl Names {
    /// Absent: `node,socket,numa,l3cache,core` from both ends, as deep as the hierarchy is.
    ///
    /// # Errors
    /// `NL-A007` unless there is a name for each level, one that launchers know or `-`, none twice, the outermost first.
    pub fn new(given: Option<&[String]>, depth: usize) -> Outcome<Names> {
        let Some(given) = given else {
            let mut usual: Vec<String> = ["node", "socket", "numa", "l3cache"].map(String::from).into();
            usual.truncate(depth.saturating_sub(1));
            usual.resize(depth.saturating_sub(1), "-".into());
            usual.push("core".into());
            return Ok(Names(usual));
        };
        let mut known: Vec<&String> = given.iter().filter(|name| *name != "-").collect();
        known.sort_unstable();
        if given.len() != depth || known.windows(2).any(|pair| pair[0] == pair[1]) {
            let names = OBJECTS.iter().map(|object| object.0).collect::<Vec<_>>().join(", ");
            let expected = format!("{depth} different names, one for each level, outermost first");
            let fault = Fault::new(&BAD_VALUE, "names", expected, given.join(","));
            return Err(fault.hint(format!("launchers know {names}; - for a level without a name")).into());
        }
        let objects = || OBJECTS.iter().map(|object| object.0);
        let unknown = known.into_iter().find(|name| !objects().any(|object| object == **name));
        if let Some(name) = unknown {
            let expected = format!("{}, or - for a level without a name", objects().collect::<Vec<_>>().join(", "));
            let hint = nearest(name, objects()).map(|near| format!("did you mean \"{near}\"?")).unwrap_or_default();
            return Err(Fault::new(&BAD_VALUE, "names", expected, name).hint(hint).into());
        }
        let named: Vec<&String> = given.iter().filter(|name| *name != "-").collect();
        if let Some(pair) = named.windows(2).find(|pair| depth_of(pair[0]) > depth_of(pair[1])) {
            let expected = format!("outermost first: {} before {}", pair[1], pair[0]);
            return Err(Fault::new(&BAD_VALUE, "names", expected, given.join(",")).into());
        }
        Ok(Names(given.to_vec()))
    }

    pub fn all(&self) -> &[String] {
        &self.0
    }
    fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|own| own == name)
    }
}

/// Levels `from..to`, the innermost first.
fn natural(from: usize, to: usize) -> impl Iterator<Item = usize> {
    (from..to).rev()
}

/// The value of Slurm's `--distribution` that numbers tasks in this order, if there is one.
pub fn slurm(levels: &Levels, names: &Names, order: &[usize]) -> Option<String> {
    let depth = levels.depth();
    let nodes = names.find("node").map_or(0, |node| node + 1);
    let socket = names.find("socket").filter(|socket| *socket == nodes);
    let (blocks, node): (Vec<usize>, Vec<usize>) = (natural(nodes, depth).collect(), natural(0, nodes).collect());
    let mut inside = vec![("block", blocks)];
    inside.extend(socket.map(|s| ("cyclic", std::iter::once(s).chain(natural(s + 1, depth)).collect())));
    for (word, own) in inside {
        if [own.clone(), node.clone()].concat() == order {
            return Some(format!("block:{word}"));
        }
        if [node.clone(), own].concat() == order {
            return Some(format!("cyclic:{word}"));
        }
    }
    (nodes + 1..depth).find_map(|cut| {
        let plane: Vec<usize> = natural(cut, depth).chain(natural(0, nodes)).chain(natural(nodes, cut)).collect();
        let size: u32 = levels.sizes()[cut..].iter().product();
        (plane == order).then(|| format!("plane={size}"))
    })
}

/// The options of Open MPI 5 that number ranks in this order on full nodes, if there are such; each is bound to its core,
/// where `--map-by` alone binds to the object that it names.
pub fn open_mpi(levels: &Levels, names: &Names, order: &[usize]) -> Option<String> {
    let depth = levels.depth();
    let nodes = names.find("node").map_or(0, |node| node + 1);
    if order == levels.identity() {
        return Some("--map-by core".into());
    }
    let list = |parts: [(usize, usize); 3]| -> Vec<usize> { parts.iter().flat_map(|p| natural(p.0, p.1)).collect() };
    let found = OBJECTS.iter().find_map(|(name, word)| {
        let level = names.find(name)?;
        let (object, inner, node) = ((nodes, level + 1), (level + 1, depth), (0, nodes));
        if level < nodes {
            return (list([node, (nodes, depth), (0, 0)]) == order).then(|| format!("--map-by {word}"));
        }
        if list([object, inner, node]) == order {
            Some(format!("--map-by {word} --rank-by slot"))
        } else if list([object, node, inner]) == order {
            Some(format!("--map-by {word}:span"))
        } else {
            None
        }
    });
    found.map(|options| format!("{options} --bind-to core"))
}
