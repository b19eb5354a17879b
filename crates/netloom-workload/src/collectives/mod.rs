//! Collective algorithms. One file per operation holds its registry rows: generator and closed form side by side. The
//! generators are shared ([`crate::generate`]); the closed forms never use the output of a generator.

pub(crate) mod allgather;
pub(crate) mod allreduce;
mod allreduce_counts;
pub(crate) mod alltoall;
pub(crate) mod barrier;
pub(crate) mod broadcast;
pub(crate) mod gather;
pub(crate) mod hierarchical;
mod levels;
pub(crate) mod reduce;
pub(crate) mod reduce_scatter;
pub(crate) mod scan;
pub(crate) mod two_tier;
mod two_tier_counts;

use netloom_model::fault::codes as model_codes;
use netloom_model::schedule::{BlockRange, Blocks, Rounds};
use netloom_model::{Bound, Collective, Fault, Kind, Outcome, Param, Row, Schedule, memory};

use crate::codes;
use crate::counts::{Closed, Wide};
use crate::plan::{Plan, absolute};

/// Most ranks of a schedule.
pub const RANK_LIMIT: i64 = 1 << 24;
/// Most messages, or rounds of a cyclic schedule, that are held: about 1 GiB.
pub const ROW_LIMIT: u128 = 1 << 25;
/// Bytes of a message and its range of blocks.
const ROW_BYTES: u64 = 28;

/// Input of an algorithm: operation, ranks, size and root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    pub collective: Collective,
    pub ranks: u32,
    /// 0 for operations without a root.
    pub root: u32,
    /// See [`Collective::size_meaning`].
    pub size_bytes: u64,
}

/// Which form the schedule takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Every message is listed.
    Listed,
    /// One rank represents all.
    Cyclic,
    /// Cyclic on a power of two ranks, else listed.
    CyclicIfPowerOfTwo,
    /// Cyclic on an odd number of ranks, else listed.
    CyclicIfOdd,
}

/// The type that an algorithm's row builds.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    pub collective: Collective,
    /// What happens when the number of ranks is not a power of two (or of k).
    pub npof2: &'static str,
    pub form: Form,
    /// True for the numbers of ranks that the algorithm is defined on.
    pub takes: fn(u32) -> bool,
    /// False if `max_bytes_sent` of the closed form is exact only where `pieces` divides the size, and an upper bound
    /// otherwise: which ranks send the longer blocks has no short formula.
    pub exact_bytes: bool,
    /// The number that must divide the size for that; `ranks` unless the row gives another number.
    pub(crate) pieces: fn(&Job, &Bound) -> u64,
    /// Block ranges where messages carry many single blocks instead of one or two runs.
    pub(crate) ranges: fn(&Job) -> u128,
    /// Refuses parameters that do not fit the job; called before `plan` and `formula`, which may then rely on it.
    pub(crate) check: fn(&Job, &Bound) -> Outcome<()>,
    pub(crate) plan: fn(&Job, &Bound) -> Outcome<Plan>,
    /// Called for two ranks or more only.
    pub(crate) formula: fn(&Job, &Bound) -> Wide,
}

/// An algorithm, called `collective:algorithm`. Its aliases include the names of MPI libraries (`mpich:`, `ompi:`, `smpi:`,
/// `ucc:`, `nccl:`); its restrictions give the requirements on the operation and on the number of ranks.
pub type CollectiveRow = Row<Method>;

impl Job {
    pub(crate) fn p(&self) -> u64 {
        u64::from(self.ranks)
    }

    /// # Errors
    /// `NL-C001` ranks, `NL-C002` root, `NL-C003` size: all that apply.
    pub fn new(collective: Collective, ranks: i64, root: i64, size_bytes: i64) -> Outcome<Job> {
        let mut faults = netloom_model::Faults::none();
        if !(1..=RANK_LIMIT).contains(&ranks) {
            faults.push(Fault::new(&codes::RANKS, "ranks", format!("an integer in 1..{RANK_LIMIT}"), ranks));
        } else if !collective.is_rooted() && root != 0 {
            let fault = Fault::new(&codes::ROOT, "root", format!("0 ({collective} has no root)"), root);
            faults.push(fault.hint("leave root out"));
        } else if !(0..ranks).contains(&root) {
            faults.push(Fault::new(&codes::ROOT, "root", format!("a rank in 0..{} (inclusive)", ranks - 1), root));
        }
        if size_bytes < 0 {
            faults.push(Fault::new(&codes::SIZE, "size_bytes", "zero or more", size_bytes));
        }
        let size_bytes = if collective == Collective::Barrier { 0 } else { size_bytes.max(0) as u64 };
        faults.or(Job { collective, ranks: ranks.max(1) as u32, root: root.max(0) as u32, size_bytes })
    }

    /// Bytes of all blocks.
    fn all_blocks(&self) -> u128 {
        let each = match self.collective {
            Collective::Allgather | Collective::Gather | Collective::Scatter | Collective::ReduceScatter => self.p(),
            Collective::Alltoall => self.p() * self.p(),
            _ => 1,
        };
        u128::from(each) * u128::from(self.size_bytes)
    }

    /// The blocks that this operation cuts `count` of.
    pub(crate) fn blocks(&self, count: u32) -> Blocks {
        match self.collective {
            Collective::Broadcast
            | Collective::Reduce
            | Collective::Allreduce
            | Collective::Scan
            | Collective::Exscan => Blocks::Split { total_bytes: self.size_bytes, count },
            _ if count > self.ranks && self.collective != Collective::Alltoall => {
                Blocks::Parts { bytes: self.size_bytes, parts: count / self.ranks, units: self.ranks }
            }
            _ => Blocks::Each { bytes: self.size_bytes, count },
        }
    }

    /// Gives a plan its bytes.
    pub(crate) fn schedule(&self, label: String, plan: Plan) -> Schedule {
        let Plan { ranks, blocks: count, steps, mut rounds } = plan;
        let blocks = self.blocks(count);
        if let Rounds::Cyclic(rounds) = &mut rounds {
            for round in rounds {
                round.bytes = largest_message(blocks, round, ranks);
            }
        }
        let Job { collective, root, size_bytes, .. } = *self;
        Schedule { collective, label, ranks, root, size_bytes, blocks, steps, rounds }
    }
}

/// Bytes of a round's message; where block sizes differ, of the rank that sends most.
pub(crate) fn largest_message(blocks: Blocks, round: &netloom_model::CyclicRound, ranks: u32) -> u64 {
    let carried = round.ranges.iter().map(|r| r.count).sum();
    match (blocks, round.ranges.as_slice()) {
        (Blocks::Each { bytes, .. }, _) => bytes * u64::from(carried),
        // Longer blocks come first, so the heaviest run starts at block 0, and some rank sends that one.
        (_, [_]) => blocks.bytes(BlockRange { first: 0, count: carried }),
        _ => {
            let sum = |r| absolute(round, r, ranks, blocks.count()).iter().map(|b| blocks.bytes(*b)).sum();
            (0..ranks).map(sum).max().unwrap_or(0)
        }
    }
}

/// The part of a row's name after the colon.
pub fn algorithm(row: &CollectiveRow) -> &'static str {
    row.name.split_once(':').map_or(row.name, |(_, algorithm)| algorithm)
}

impl Method {
    pub fn is_cyclic(&self, ranks: u32) -> bool {
        match self.form {
            Form::Listed => false,
            Form::Cyclic => true,
            Form::CyclicIfPowerOfTwo => ranks.is_power_of_two(),
            Form::CyclicIfOdd => ranks % 2 == 1,
        }
    }

    /// Steps, messages, bytes and ports by formula; O(log ranks), nothing is generated.
    ///
    /// # Errors
    /// `NL-C003` if the bytes of all messages exceed 2^63; `NL-A009` if steps or messages exceed their type;
    /// `NL-C004` or `NL-A007` if a parameter does not fit the job.
    pub fn closed(&self, job: &Job, bound: &Bound) -> Outcome<Closed> {
        (self.check)(job, bound)?;
        let wide = if job.ranks == 1 { Wide::default() } else { (self.formula)(job, bound) };
        let all = wide.total_bytes.max(job.all_blocks());
        if let Some(closed) = wide.narrow().filter(|_| all < 1 << 63) {
            return Ok(closed);
        }
        if all >= 1 << 63 {
            let sentence = format!("the data would have {all} bytes together, beyond 2^63");
            return Err(Fault::say(&codes::SIZE, &bound.owner, sentence)
                .hint("lower the size or the number of ranks")
                .into());
        }
        Err(too_large(&bound.owner, job, wide.messages))
    }
}

/// # Errors
/// `NL-C004` if the algorithm does not take this number of ranks; what its parameters report.
pub(crate) fn accepts(row: &CollectiveRow, job: &Job, bound: &Bound) -> Outcome<()> {
    (row.check)(job, bound)?;
    if (row.takes)(job.ranks) {
        return Ok(());
    }
    let place = format!("ranks of {}", row.name);
    Err(Fault::new(&codes::RESTRICTED, place, row.restrictions, job.ranks).into())
}

/// The schedule of a row. O(its messages), or O(the rounds of one rank) where all do the same.
///
/// # Errors
/// As [`Method::closed`]; `NL-A009` beyond [`ROW_LIMIT`] rows; `NL-X011` without the memory; `NL-C004` if the algorithm or an option does not take this
/// number of ranks.
pub fn schedule(row: &CollectiveRow, job: &Job, bound: &Bound) -> Outcome<Schedule> {
    let closed = row.closed(job, bound)?;
    accepts(row, job, bound)?;
    let pairs = u128::from(job.ranks) * u128::from(job.ranks);
    if job.collective == Collective::Alltoall && pairs > u128::from(u32::MAX) {
        return Err(too_large(row.name, job, pairs));
    }
    let shared = if row.is_cyclic(job.ranks) { u128::from(job.ranks) } else { 1 };
    let rows = (u128::from(closed.messages) / shared).max((row.ranges)(job));
    check_rows(row.name, job, rows)?;
    let label = if row.params.is_empty() { row.name.to_string() } else { bound.canonical().to_string() };
    Ok(job.schedule(label, (row.plan)(job, bound)?))
}

fn too_large(owner: &str, job: &Job, rows: u128) -> netloom_model::Faults {
    let sentence = format!("{rows} rows on {} ranks exceed the {ROW_LIMIT} that a schedule holds", job.ranks);
    Fault::say(&model_codes::TOO_LARGE, owner, sentence).hint("use fewer ranks or fewer segments").into()
}

/// # Errors
/// `NL-A009` beyond [`ROW_LIMIT`] rows or block ranges; `NL-X011` without the memory.
pub(crate) fn check_rows(owner: &str, job: &Job, rows: u128) -> Outcome<()> {
    if rows > ROW_LIMIT {
        return Err(too_large(owner, job, rows));
    }
    Ok(memory::require(ROW_BYTES * rows as u64, owner, &format!("its schedule on {} ranks", job.ranks))?)
}

/// What rows fill in.
pub(crate) const TEMPLATE: CollectiveRow = CollectiveRow {
    name: "",
    aliases: &[],
    summary: "",
    params: &[],
    example: "",
    restrictions: "",
    source: "",
    build: Method {
        collective: Collective::Barrier,
        npof2: "any number of ranks",
        form: Form::Listed,
        takes: |_| true,
        exact_bytes: true,
        pieces: |job, _| job.p(),
        ranges: |_| 0,
        check: |_, _| Ok(()),
        plan: |_, _| Ok(Plan::cyclic(1, 1, 0, Vec::new())),
        formula: |_, _| Wide { steps: 0, messages: 0, max_bytes_sent: 0, total_bytes: 0, max_ports: 0 },
    },
};

/// The radix of trees, exchanges and digits.
pub(crate) const fn radix(default: &'static str) -> Param {
    Param::optional("k", Kind::Int { min: 2, max: 1 << 20 }, default, "radix: a rank has k - 1 partners per digit")
}

/// The number of segments of a pipeline.
pub(crate) const fn segments(default: &'static str) -> Param {
    Param::optional("segments", Kind::Int { min: 1, max: 1 << 20 }, default, "parts that follow each other")
}
