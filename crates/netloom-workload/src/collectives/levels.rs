//! The levels of a hierarchy with the algorithm of each: registered rows, found by the words of a parameter.

use netloom_model::fault::{codes as model_codes, nearest};
use netloom_model::{Bound, Call, Collective, Fault, Outcome, Registry};

use super::flat;
use super::job::Job;
use super::row::{CollectiveRow, Method, accepts, algorithm};
use crate::counts::{Wide, log_floor};
use crate::generate::hierarchy::Hierarchy;
use crate::generate::level_rounds::fits;
use crate::plan::Plan;

/// Broadcasts that send the whole message along a tree.
const TREES: &[&str] = &["binomial", "k-nomial", "linear", "bine"];
/// The reduction in parts that a level takes besides these trees: each of its blocks goes through the levels as it is.
const HALVING: &str = "rabenseifner";
/// Compositions, which no level takes.
const COMPOSED: &[&str] = &["hierarchical", "led", "blueconnect", "two-tier"];

/// The rows of `collective` among which a level chooses.
fn rows(collective: Collective) -> Registry<Method> {
    Registry { kind: "collectives", what: "collective", rows: flat::of(collective), common: &[] }
}

/// True unless `row` is a broadcast in parts, or a reduction in segments.
fn fits_a_level(row: &CollectiveRow) -> bool {
    match row.collective {
        Collective::Broadcast => TREES.contains(&algorithm(row)),
        Collective::Reduce => algorithm(row) == HALVING || TREES.contains(&algorithm(row)),
        _ => true,
    }
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
    fn blocks(&self, ranks: u32) -> Outcome<(Plan, Option<u64>)> {
        let plan = (self.row.plan)(&self.job(ranks, 1), &self.bound)?;
        let wanted = match self.row.collective {
            Collective::Broadcast => 1,
            Collective::Allreduce | Collective::Reduce => plan.blocks,
            Collective::Alltoall => u64::from(ranks) * u64::from(ranks),
            _ => ranks.into(),
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
    /// Blocks into which a tree or a reduction cuts the vector.
    pub fn parts(&self, ranks: u32) -> u32 {
        if algorithm(self.row) == HALVING { 1 << log_floor(ranks.into(), 2) } else { 1 }
    }
    /// What the root of a reduction sends of a vector of `blocks` equal blocks with `each` bytes: all but its own part.
    pub fn root_sends(&self, ranks: u32, blocks: u128, each: u64) -> u128 {
        (blocks - blocks / u128::from(self.parts(ranks))) * u128::from(each)
    }
    /// The formula where the vector is cut into `segments` of `blocks` blocks, `parts` dividing `blocks`. The bytes that one
    /// rank sends are an upper bound, exact if all blocks are equal.
    ///
    /// The bytes of all messages are a sum over blocks, so they follow from vectors of one byte a block: of those blocks
    /// that come first and are one byte longer, and of all.
    pub fn formula_in(&self, ranks: u32, size_bytes: u64, segments: u32, blocks: u32) -> Wide {
        let parts = self.parts(ranks);
        if parts == 1 {
            return self.formula(ranks, size_bytes);
        }
        let (all, unit) = (u64::from(segments) * u64::from(blocks), u64::from(blocks / parts));
        let (each, longer) = (size_bytes / all, size_bytes % all);
        let first = |count: u64| self.formula(ranks, count).total_bytes;
        let (full, rest) = (longer / u64::from(blocks), longer % u64::from(blocks));
        let whole = u128::from(each) * u128::from(segments) + u128::from(full);
        let (ended, begun) = (first(rest / unit), first(rest / unit + 1));
        Wide {
            total_bytes: u128::from(unit) * (whole * first(parts.into()) + ended)
                + u128::from(rest % unit) * (begun - ended),
            ..self.formula(ranks, size_bytes.div_ceil(all).saturating_mul(all))
        }
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
    /// [`LevelSetup::named`] of the parameter `algorithms`.
    ///
    /// # Errors
    /// The same.
    pub fn read(job: &Job, bound: &Bound, collective: Collective, first: usize) -> Outcome<LevelSetup> {
        LevelSetup::named("algorithms", job, bound, collective, first)
    }

    /// The algorithms of `collective` that parameter `name` gives for the levels from `first` on.
    ///
    /// # Errors
    /// `NL-C004` levels that do not fit the ranks, or an algorithm its level; `NL-A007` unknown or too many algorithms.
    pub fn named(name: &str, job: &Job, bound: &Bound, collective: Collective, first: usize) -> Outcome<LevelSetup> {
        let hierarchy = Hierarchy::read(job.ranks, bound, 2)?;
        let wanted = hierarchy.levels.len() - first.min(hierarchy.levels.len());
        let words: Vec<&str> = bound.text(name).split('+').collect();
        if words.len() != 1 && words.len() != wanted {
            let hint = format!("give one algorithm, or {wanted}");
            return Err(bound.fault(name, "one algorithm for every level").hint(hint).into());
        }
        let mut algorithms = Vec::with_capacity(wanted);
        for i in 0..wanted {
            let algorithm = Algorithm::read(bound, name, words[i % words.len()], collective)?;
            algorithm.accepts(hierarchy.levels[first + i])?;
            algorithms.push(algorithm);
        }
        if wanted == 0 {
            Algorithm::read(bound, name, words[0], collective)?;
        }
        Ok(LevelSetup { hierarchy, algorithms, first })
    }

    /// `count` of the setup; nothing if it cannot be read, since then the check has reported it.
    pub fn counted(job: &Job, bound: &Bound, collective: Collective, count: impl Fn(&LevelSetup) -> Wide) -> Wide {
        LevelSetup::read(job, bound, collective, 0).map(|s| count(&s)).unwrap_or_default()
    }

    pub fn used(&self) -> impl DoubleEndedIterator<Item = usize> + use<> {
        self.first..self.hierarchy.levels.len()
    }
    /// True if rounds of one rank stand for all on every level.
    pub fn is_cyclic(&self) -> bool {
        let used: Vec<usize> = self.used().filter(|i| self.hierarchy.levels[*i] > 1).collect();
        used.iter().all(|i| {
            let (algorithm, members) = (self.algorithm(*i), self.hierarchy.levels[*i]);
            algorithm.row.is_cyclic(&algorithm.job(members, 1), &algorithm.bound)
                && algorithm.plan(members).is_ok_and(|plan| fits(&plan, used.len() - 1))
        })
    }
    pub fn plan(&self, i: usize) -> Outcome<Plan> {
        self.algorithms[i - self.first].plan(self.hierarchy.levels[i])
    }
    pub fn formula(&self, i: usize, size_bytes: u64) -> Wide {
        self.algorithms[i - self.first].formula(self.hierarchy.levels[i], size_bytes)
    }

    /// Blocks into which the reductions of all levels can cut one segment.
    pub fn parts(&self) -> u32 {
        self.used().map(|i| self.algorithm(i).parts(self.hierarchy.levels[i])).max().unwrap_or(1)
    }
    pub fn algorithm(&self, i: usize) -> &Algorithm {
        &self.algorithms[i - self.first]
    }

    /// Costs where one team per branch works on a level; rank 0 (or the root) is in all of them.
    pub fn led(&self, size: impl Fn(usize) -> u64) -> Wide {
        in_turn(self.led_levels(|i| self.formula(i, size(i))), 1)
    }
    /// Those of each level, where one team per branch costs `team`.
    pub fn led_levels(&self, team: impl Fn(usize) -> Wide) -> impl Iterator<Item = Wide> {
        self.used().map(move |i| times(team(i), self.hierarchy.above(i)))
    }
    /// Costs where all teams work.
    pub fn everybody(&self, size: impl Fn(usize) -> u64) -> Wide {
        let teams = |i: usize| self.hierarchy.ranks() / self.hierarchy.levels[i];
        in_turn(self.used().map(|i| times(self.formula(i, size(i)), teams(i))), 1)
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

/// Teams that do the same at the same time.
fn times(team: Wide, teams: u32) -> Wide {
    let teams = u128::from(teams);
    Wide { messages: teams * team.messages, total_bytes: teams * team.total_bytes, ..team }
}

/// Costs of stages that one rank goes through in turn, each time with another segment of the data; the bytes of a stage are
/// those of all segments. Where segments follow each other, the ports are an upper bound: as if all stages met in a step.
pub(super) fn in_turn(stages: impl Iterator<Item = Wide>, segments: u32) -> Wide {
    let (segments, mut longest) = (u128::from(segments), 0);
    let once = stages.fold(Wide::default(), |all, stage| {
        longest = stage.steps.max(longest);
        Wide {
            steps: all.steps + stage.steps,
            messages: all.messages + segments * stage.messages,
            max_bytes_sent: all.max_bytes_sent + stage.max_bytes_sent,
            total_bytes: all.total_bytes + stage.total_bytes,
            max_ports: if segments > 1 { all.max_ports + stage.max_ports } else { all.max_ports.max(stage.max_ports) },
        }
    });
    Wide { steps: once.steps + (segments - 1) * longest, ..once }
}
