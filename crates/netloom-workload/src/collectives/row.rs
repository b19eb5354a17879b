//! What an algorithm has: generator and closed form.

use netloom_model::schedule::{Copied, RankGrid};
use netloom_model::{Bound, Collective, CombiningShape, CombiningTree, Fault, Kind, Outcome, Param, Row};

use super::channels::Channels;
use super::job::Job;
use super::limits::too_large;
use crate::codes;
use crate::counts::{Closed, Wide, log_floor, power};
use crate::plan::Plan;

/// Which form the schedule takes.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Every message is listed.
    Listed,
    /// One rank represents all.
    Cyclic,
    /// Cyclic on a power of two ranks, else listed.
    CyclicIfPowerOfTwo,
    /// Cyclic on an even number of ranks, else listed.
    CyclicIfEven,
    /// Listed steps, then cyclic ones.
    ListThenCyclic,
    /// Cyclic where its levels are, else listed.
    CyclicByLevels(fn(&Job, &Bound) -> bool),
}

/// How the channels of an algorithm go through the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// In the same order through each.
    SameWay,
    /// Backwards through every other one: each rank passes on to the next, so a channel stays on one rail.
    BackAndForth,
    /// Each on a tree of switches of its own.
    Trees,
    /// It has no channels: it places the ranks itself.
    Never,
}

/// The type that an algorithm's row builds.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    pub collective: Collective,
    /// What happens when the number of ranks is not a power of two (or of k).
    pub npof2: &'static str,
    pub form: Form,
    /// How its channels go through the nodes.
    pub walk: Walk,
    /// Equal parts of the blocks that a rank sends and receives without waiting for the others.
    pub strands: u32,
    /// Every message of cyclic rounds has one block.
    pub single_blocks: bool,
    /// True for the numbers of ranks that the algorithm is defined on.
    pub takes: fn(u32) -> bool,
    /// False if `max_bytes_sent` of the closed form is exact only where `pieces` divides the size, and an upper bound
    /// otherwise: which ranks send the longer blocks has no short formula.
    pub exact_bytes: bool,
    /// The number that must divide the size for that; `ranks` unless the row gives another number.
    pub(crate) pieces: fn(&Job, &Bound) -> u64,
    /// True if stages of several segments may meet in a step: `max_ports` of the closed form is then an upper bound.
    pub(crate) stages_meet: fn(&Bound) -> bool,
    /// Block ranges where messages carry many single blocks instead of one or two runs.
    pub(crate) ranges: fn(&Job, &Bound) -> u128,
    /// Refuses parameters that do not fit the job; called before `plan` and `formula`, which may then rely on it.
    pub(crate) check: fn(&Job, &Bound) -> Outcome<()>,
    /// What every rank copies besides the messages.
    pub(crate) copied: fn(&Job) -> Copied,
    pub(crate) plan: fn(&Job, &Bound) -> Outcome<Plan>,
    /// Where its cyclic rounds are over positions of which the first level is the fastest: the levels.
    pub(crate) levels: fn(&Job, &Bound) -> Option<RankGrid>,
    /// Makes the plan in place of `plan` where switches take part.
    pub(crate) on_tree: Option<fn(&Job, &Bound, &CombiningTree) -> Plan>,
    /// How the switches that take part are joined on a network.
    pub(crate) shape: CombiningShape,
    /// Called for two ranks or more only.
    pub(crate) formula: fn(&Job, &Bound) -> Wide,
}

/// An algorithm, called `collective:algorithm`. Its aliases include the names of MPI libraries (`mpich:`, `ompi:`, `smpi:`,
/// `ucc:`, `nccl:`); its restrictions give the requirements on the operation and on the number of ranks.
pub type CollectiveRow = Row<Method>;

/// The part of a row's name after the colon.
pub fn algorithm(row: &CollectiveRow) -> &'static str {
    row.name.split_once(':').map_or(row.name, |(_, algorithm)| algorithm)
}

impl Method {
    pub fn is_cyclic(&self, job: &Job, bound: &Bound) -> bool {
        match self.form {
            Form::Listed | Form::ListThenCyclic => false,
            Form::Cyclic => true,
            Form::CyclicIfPowerOfTwo => job.ranks.is_power_of_two(),
            Form::CyclicIfEven => job.ranks == 1 || job.ranks.is_multiple_of(2),
            Form::CyclicByLevels(are_cyclic) => are_cyclic(job, bound),
        }
    }

    /// Steps, messages, bytes and ports by formula; O(log ranks), nothing is generated.
    ///
    /// # Errors
    /// `NL-C003` if the bytes of all messages exceed 2^63; `NL-A009` if steps or messages exceed their type;
    /// `NL-C004` or `NL-A007` if a parameter does not fit the job.
    pub fn closed(&self, job: &Job, bound: &Bound) -> Outcome<Closed> {
        (self.check)(job, bound)?;
        let once = |job: &Job| if job.ranks == 1 { Wide::default() } else { (self.formula)(job, bound) };
        let wide = match Channels::of(bound, self)? {
            Some(channels) => {
                let segments = if bound.is_given("segments") { u64::from(bound.size("segments")) } else { 1 };
                let halves = power(2, log_floor(job.p(), 2));
                let pieces = (self.pieces)(job, bound).max(1).saturating_mul(2 * segments).saturating_mul(halves);
                channels.counts(job, pieces, once)
            }
            None => once(job),
        };
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
        walk: Walk::SameWay,
        strands: 1,
        single_blocks: false,
        takes: |_| true,
        exact_bytes: true,
        pieces: |job, _| job.p(),
        stages_meet: |_| false,
        ranges: |_, _| 0,
        check: |_, _| Ok(()),
        copied: Job::own_copy,
        plan: |_, _| Ok(Plan::cyclic(1, 1, 0, Vec::new())),
        levels: |_, _| None,
        on_tree: None,
        shape: CombiningShape::Central,
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

/// [`Method::stages_meet`] where there are several segments.
pub(crate) fn stages_meet(bound: &Bound) -> bool {
    bound.size("segments") > 1
}
