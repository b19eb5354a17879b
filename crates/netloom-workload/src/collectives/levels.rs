//! The levels of a hierarchy with the algorithm of each: registered rows, found by the words of a parameter.

use netloom_model::fault::{codes as model_codes, nearest};
use netloom_model::{Bound, Call, Collective, Fault, Outcome, Registry};

use super::flat;
use super::job::Job;
use super::row::{CollectiveRow, Method, accepts, algorithm};
use crate::counts::Wide;
use crate::generate::hierarchy::Hierarchy;
use crate::plan::Plan;

/// Broadcasts that send the whole message along a tree.
const TREES: &[&str] = &["binomial", "k-nomial", "linear", "bine"];
/// Compositions, which no level takes.
const COMPOSED: &[&str] = &["hierarchical", "blueconnect", "two-tier"];

/// The rows of `collective` among which a level chooses.
fn rows(collective: Collective) -> Registry<Method> {
    Registry { kind: "collectives", what: "collective", rows: flat::of(collective), common: &[] }
}

/// True unless `row` is a broadcast in parts.
fn fits_a_level(row: &CollectiveRow) -> bool {
    row.collective != Collective::Broadcast || TREES.contains(&algorithm(row))
}

/// The rows of `collective` that a level takes: those that fit and do not cut the blocks of the ranks into parts.
fn plain(collective: Collective) -> impl Iterator<Item = &'static CollectiveRow> {
    let whole = |row: &&'static CollectiveRow| {
        let bound = Call::parse(row.example).and_then(|call| row.bind(&call));
        bound.and_then(|bound| Algorithm { row, bound }.blocks(4)).is_ok_and(|(_, cut)| cut.is_none())
    };
    rows(collective).rows.iter().filter(|row| fits_a_level(row)).filter(whole)
}

/// Their names, of those that `also` lets pass, as a hint.
fn known(collective: Collective, also: impl Fn(&Algorithm) -> bool) -> String {
    let passes = |row: &&'static CollectiveRow| {
        row.bind(&Call::bare(row.name)).is_ok_and(|bound| also(&Algorithm { row, bound }))
    };
    let names: Vec<&str> = plain(collective).filter(passes).map(algorithm).collect();
    format!("{collective} algorithms of a level: {}", names.join(", "))
}

/// A registered algorithm on the teams of one level.
pub(super) struct Algorithm {
    row: &'static CollectiveRow,
    bound: Bound,
}

impl Algorithm {
    /// # Errors
    /// `NL-A007` at `name` for a word that is not an algorithm of `collective`; those of the algorithm's own arguments.
    pub fn read(owner: &Bound, name: &str, word: &str, collective: Collective) -> Outcome<Algorithm> {
        let expected = match name {
            "top" => format!("one {collective} algorithm"),
            _ => format!("{collective} algorithms joined by +"),
        };
        let refuse = |hint: String| owner.fault(name, expected).hint(hint);
        let Ok(call) = Call::parse(word.trim()) else { return Err(refuse(known(collective, |_| true)).into()) };
        let word = call.name.trim_start_matches(&format!("{collective}:")).to_string();
        let full = Call { name: format!("{collective}:{}", call.name), ..call };
        let Ok(row) = rows(collective).find(&full.name) else {
            let hint = match nearest(&word, plain(collective).map(algorithm)) {
                Some(near) if !COMPOSED.contains(&word.as_str()) => format!("did you mean \"{near}\"?"),
                _ => known(collective, |_| true),
            };
            return Err(refuse(hint).into());
        };
        let bound = row.bind(&full)?;
        if !fits_a_level(row) {
            return Err(refuse(known(collective, |_| true)).into());
        }
        Ok(Algorithm { row, bound })
    }

    fn job(&self, ranks: u32, size_bytes: u64) -> Job {
        Job { collective: self.row.collective, ranks, root: 0, size_bytes }
    }
    /// The plan; and, if it cuts the blocks of the ranks into parts, how many there should be.
    fn blocks(&self, ranks: u32) -> Outcome<(Plan, Option<u32>)> {
        let plan = (self.row.plan)(&self.job(ranks, 1), &self.bound)?;
        let wanted = match self.row.collective {
            Collective::Broadcast => 1,
            Collective::Allreduce => plan.blocks,
            Collective::Alltoall => ranks * ranks,
            _ => ranks,
        };
        let cut = (plan.blocks != wanted).then_some(wanted);
        Ok((plan, cut))
    }
    /// # Errors
    /// Those of the algorithm; `NL-A007` if it cuts the blocks of the ranks into parts, which no level can pass on as one.
    pub fn plan(&self, ranks: u32) -> Outcome<Plan> {
        let (plan, cut) = self.blocks(ranks)?;
        let Some(wanted) = cut else { return Ok(plan) };
        let sentence = format!("cuts {wanted} blocks into {}, which a level does not take", plan.blocks);
        let hint = known(self.row.collective, |_| true);
        Err(Fault::say(&model_codes::BAD_VALUE, self.row.name, sentence).hint(hint).into())
    }
    pub fn formula(&self, ranks: u32, size_bytes: u64) -> Wide {
        match ranks {
            1 => Wide::default(),
            _ => (self.row.formula)(&self.job(ranks, size_bytes), &self.bound),
        }
    }
    pub fn pieces(&self, ranks: u32) -> u64 {
        (self.row.pieces)(&self.job(ranks, 1), &self.bound)
    }
    /// # Errors
    /// `NL-C004` if the algorithm does not take `ranks` ranks.
    pub fn accepts(&self, ranks: u32) -> Outcome<()> {
        accepts(self.row, &self.job(ranks, 1), &self.bound)
    }
}

/// Levels with their algorithms.
pub(super) struct LevelSetup {
    pub hierarchy: Hierarchy,
    /// One per level from `first` on.
    algorithms: Vec<Algorithm>,
    first: usize,
}

impl LevelSetup {
    /// # Errors
    /// `NL-C004` levels that do not fit the ranks, or an algorithm its level; `NL-A007` unknown or too many algorithms.
    pub fn read(job: &Job, bound: &Bound, collective: Collective, first: usize) -> Outcome<LevelSetup> {
        let hierarchy = Hierarchy::read(job.ranks, bound, 2)?;
        let wanted = hierarchy.levels.len() - first.min(hierarchy.levels.len());
        let words: Vec<&str> = bound.text("algorithms").split('+').collect();
        if words.len() != 1 && words.len() != wanted {
            let hint = format!("give one algorithm, or {wanted}");
            return Err(bound.fault("algorithms", "one algorithm for every level").hint(hint).into());
        }
        let mut algorithms = Vec::with_capacity(wanted);
        for i in 0..wanted {
            let algorithm = Algorithm::read(bound, "algorithms", words[i % words.len()], collective)?;
            algorithm.accepts(hierarchy.levels[first + i])?;
            algorithms.push(algorithm);
        }
        if wanted == 0 {
            Algorithm::read(bound, "algorithms", words[0], collective)?;
        }
        Ok(LevelSetup { hierarchy, algorithms, first })
    }

    /// `count` of the setup; nothing if it cannot be read, since then the check has reported it.
    pub fn counted(job: &Job, bound: &Bound, collective: Collective, count: impl Fn(&LevelSetup) -> Wide) -> Wide {
        LevelSetup::read(job, bound, collective, 0).map(|s| count(&s)).unwrap_or_default()
    }

    pub fn used(&self) -> impl Iterator<Item = usize> {
        self.first..self.hierarchy.levels.len()
    }
    pub fn plan(&self, i: usize) -> Outcome<Plan> {
        self.algorithms[i - self.first].plan(self.hierarchy.levels[i])
    }
    pub fn formula(&self, i: usize, size_bytes: u64) -> Wide {
        self.algorithms[i - self.first].formula(self.hierarchy.levels[i], size_bytes)
    }

    /// Costs where one team per branch works on a level; rank 0 (or the root) is in all of them.
    pub fn led(&self, size: impl Fn(usize) -> u64) -> Wide {
        self.sum(size, |i| self.hierarchy.above(i))
    }
    /// Costs where all teams work.
    pub fn everybody(&self, size: impl Fn(usize) -> u64) -> Wide {
        self.sum(size, |i| self.hierarchy.ranks() / self.hierarchy.levels[i])
    }
    fn sum(&self, size: impl Fn(usize) -> u64, teams: impl Fn(usize) -> u32) -> Wide {
        self.used().fold(Wide::default(), |all, i| {
            let (level, teams) = (self.formula(i, size(i)), u128::from(teams(i)));
            Wide {
                steps: all.steps + level.steps,
                messages: all.messages + teams * level.messages,
                max_bytes_sent: all.max_bytes_sent + level.max_bytes_sent,
                total_bytes: all.total_bytes + teams * level.total_bytes,
                max_ports: all.max_ports.max(level.max_ports),
            }
        })
    }

    /// # Errors
    /// `NL-A007` if a level's allgather brings a block twice, so that its reverse would count contributions twice.
    pub fn every_block_once(&self, bound: &Bound) -> Outcome<()> {
        for i in self.used() {
            let members = self.hierarchy.levels[i];
            let once = |formula: Wide| formula.total_bytes == u128::from(members) * u128::from(members - 1);
            if !once(self.formula(i, 1)) {
                let hint = known(Collective::Allgather, |algorithm| once(algorithm.formula(members, 1)));
                return Err(bound.fault("algorithms", "allgathers that bring every block once").hint(hint).into());
            }
        }
        Ok(())
    }
}
