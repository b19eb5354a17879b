//! The work of ranks, and their places.

use netloom_model::{Place, Programs, Routing, Schedule, Traffic};

use netloom_model::LinkShares;

/// The communication of a job.
#[derive(Clone, Copy, Debug)]
pub enum Load<'a> {
    Schedule(&'a Schedule),
    Programs(&'a Programs),
    /// All flows at once, each as one message.
    Traffic(&'a Traffic),
}

impl<'a> Load<'a> {
    pub fn ranks(&self) -> u32 {
        match self {
            Load::Schedule(s) => s.ranks,
            Load::Programs(p) => p.ranks(),
            Load::Traffic(t) => t.ranks,
        }
    }

    /// Ranks that are no switches.
    pub fn members(&self) -> u32 {
        match self {
            Load::Schedule(s) => s.members(),
            Load::Programs(_) | Load::Traffic(_) => self.ranks(),
        }
    }

    pub fn label(&self) -> &'a str {
        match self {
            Load::Schedule(s) => &s.label,
            Load::Programs(p) => &p.label,
            Load::Traffic(t) => &t.label,
        }
    }
}

/// How the messages of a job spread over the paths of its routing.
#[derive(Clone, Copy, Debug, Default)]
pub enum Spread<'a> {
    /// Every message over all paths at once, in the shares of the routing.
    #[default]
    Shares,
    /// All messages of a pair of endpoints over one of the paths, chosen by a hash: equal-cost multi-path.
    Hashed { seed: u64 },
    /// Every message over the links and in the shares that the link-load model found for its pair.
    Solved(&'a LinkShares),
}

impl PartialEq for Spread<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Spread::Shares, Spread::Shares) => true,
            (Spread::Hashed { seed }, Spread::Hashed { seed: other }) => seed == other,
            (Spread::Solved(table), Spread::Solved(other)) => std::ptr::eq(*table, *other),
            _ => false,
        }
    }
}

/// One job: the work of its ranks, their places, their start. Several ranks may share an endpoint.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    pub work: Load<'a>,
    pub endpoint_of_rank: &'a [u32],
    /// On their nodes; empty where the machine has none.
    pub seat_of_rank: &'a [u32],
    /// Routing of its messages; the machine's if `None`.
    pub routing: Option<&'a dyn Routing>,
    pub spread: Spread<'a>,
    pub start_s: f64,
    /// Repetitions of the work, one after another without a barrier.
    pub repetitions: u32,
}

impl Job<'_> {
    /// Where a rank is.
    pub fn place(&self, rank: u32) -> Place {
        let seat = self.seat_of_rank.get(rank as usize).copied().unwrap_or(0);
        Place { endpoint: self.endpoint_of_rank[rank as usize], seat }
    }

    /// Messages that it will send, as the engine counts them when they arrive. O(actions of programs).
    pub fn expected_messages(&self) -> u64 {
        let once = match self.work {
            Load::Schedule(s) => s.messages(),
            Load::Traffic(t) if !t.starts().is_empty() => t.starts().len() as u64,
            Load::Traffic(t) => t.flows().len() as u64,
            Load::Programs(p) => p.messages(),
        };
        once.saturating_mul(self.repetitions.into())
    }
}
