//! The result of a row: traffic generated rank by rank wherever that needs no list, and the list collected from it where one
//! is needed. One definition of the messages serves both.

use std::sync::Arc;

use netloom_model::traffic::{FLOW_LIMIT, Flow};
use netloom_model::{Bound, Fault, Outcome, Sends, ToAll, Traffic};

use super::params::bytes;
use crate::codes;

pub(crate) enum Made {
    /// Drawn over all ranks at once.
    List(Traffic),
    /// Generated rank by rank.
    Stream(Said),
}

pub(crate) struct Said {
    sends: Arc<dyn Sends>,
    /// Messages of all ranks together, or more.
    most: u128,
    total_bytes: u128,
    /// See [`Traffic::grid`].
    grid: Option<(Vec<u32>, Vec<bool>)>,
}

impl Made {
    pub fn sends(self) -> Arc<dyn Sends> {
        match self {
            Made::List(traffic) => Arc::new(traffic),
            Made::Stream(said) => said.sends,
        }
    }

    /// Traffic of at most `pairs` pairs and `total_bytes` bytes.
    ///
    /// # Errors
    /// `NL-P002` 2^63 bytes or more in all.
    pub fn stream(name: &str, sends: Arc<dyn Sends>, pairs: u128, total_bytes: u128) -> Outcome<Made> {
        if total_bytes >= 1 << 63 {
            let fault = Fault::say(&codes::PATTERN_LARGE, name, format!("{total_bytes} bytes exceed 2^63 bytes"));
            return Err(fault.hint("use fewer ranks, messages or bytes").into());
        }
        Ok(Made::Stream(Said { sends, most: pairs, total_bytes, grid: None }))
    }

    /// # Errors
    /// `NL-P002` if the list might have more than 2^27 flows.
    pub fn list(self, name: &str) -> Outcome<Traffic> {
        let said = match self {
            Made::List(traffic) => return Ok(traffic),
            Made::Stream(said) => said,
        };
        check_total(name, said.most, said.total_bytes)?;
        let (sends, mut flows) = (said.sends, Vec::with_capacity(said.most as usize));
        for src in 0..sends.ranks() {
            sends.for_each(src, &mut |dst, messages, bytes| flows.push(Flow { src, dst, messages, bytes }));
        }
        let mut traffic = Traffic::new(sends.label(), sends.ranks(), flows);
        traffic.grid = said.grid;
        Ok(traffic)
    }

    /// The ranks form a grid whose shape the list shall carry.
    pub fn on_grid(self, dims: Vec<u32>, periodic: Vec<bool>) -> Made {
        match self {
            Made::Stream(said) => Made::Stream(Said { grid: Some((dims, periodic)), ..said }),
            list @ Made::List(_) => list,
        }
    }
}

/// The destinations of a rank; the rank itself is skipped.
pub(crate) trait Partners: Send + Sync + 'static {
    /// True if every rank's partners are all other ranks.
    const ALL: bool = false;

    fn each(&self, rank: u32, visit: impl FnMut(u32));
}

/// Partners by a function of the rank.
struct By<F>(F);

impl<F, I> Partners for By<F>
where
    F: Fn(u32) -> I + Send + Sync + 'static,
    I: IntoIterator<Item = u32>,
{
    fn each(&self, rank: u32, visit: impl FnMut(u32)) {
        (self.0)(rank).into_iter().for_each(visit);
    }
}

/// All ranks send the same: the same number of messages of the same size to each partner.
struct Alike<P> {
    label: String,
    ranks: u32,
    messages: u64,
    bytes: u64,
    partners: P,
}

impl<P: Partners> Sends for Alike<P> {
    fn label(&self) -> &str {
        &self.label
    }
    fn ranks(&self) -> u32 {
        self.ranks
    }
    fn for_each(&self, rank: u32, visit: &mut dyn FnMut(u32, u64, u64)) {
        if rank < self.ranks {
            self.partners.each(rank, |to| {
                if to != rank {
                    visit(to, self.messages, self.bytes);
                }
            });
        }
    }
    fn to_all(&self) -> Option<ToAll> {
        P::ALL.then(|| ToAll { messages: self.messages, bytes: vec![self.bytes; self.ranks as usize] })
    }
}

/// All of so many ranks.
pub(crate) struct Everyone(pub u32);

impl Partners for Everyone {
    const ALL: bool = true;

    fn each(&self, _: u32, visit: impl FnMut(u32)) {
        (0..self.0).for_each(visit);
    }
}

/// `messages` messages of the call's `bytes` from every rank to each of its partners, at most `most` of them.
///
/// # Errors
/// `NL-A007` bytes that are not whole; `NL-P002` 2^63 bytes or more in all.
pub(crate) fn alike(ranks: u32, most: u64, messages: u64, bound: &Bound, partners: impl Partners) -> Outcome<Made> {
    let bytes = bytes(bound)?;
    let pairs = u128::from(ranks) * u128::from(most);
    let each = u128::from(messages) * u128::from(bytes);
    let total_bytes = pairs.saturating_mul(each);
    if total_bytes >= 1 << 63 || pairs.saturating_mul(messages.into()) >= 1 << 63 {
        let sentence = format!("{pairs} messages with {total_bytes} bytes exceed 2^63 bytes");
        let fault = Fault::say(&codes::PATTERN_LARGE, &bound.owner, sentence);
        return Err(fault.hint("use fewer ranks, messages or bytes").into());
    }
    let label = bound.canonical().to_string();
    let sends = Arc::new(Alike { label, ranks, messages, bytes: each as u64, partners });
    Ok(Made::Stream(Said { sends, most: pairs, total_bytes, grid: None }))
}

/// One message from every rank to each of `partners`, a function of the rank; those to itself are dropped.
pub(crate) fn one_each<I: IntoIterator<Item = u32> + 'static>(
    ranks: u32,
    most: u64,
    bound: &Bound,
    partners: impl Fn(u32) -> I + Send + Sync + 'static,
) -> Outcome<Made> {
    alike(ranks, most, 1, bound, By(partners))
}

/// Refuses more flows or bytes than a list holds.
pub(crate) fn check_size(name: &str, messages: u128, bytes: u64) -> Outcome<()> {
    check_total(name, messages, messages.saturating_mul(bytes.into()))
}

/// [`check_size`] where the messages differ.
pub(crate) fn check_total(name: &str, messages: u128, total_bytes: u128) -> Outcome<()> {
    if messages <= u128::from(FLOW_LIMIT) && total_bytes < 1 << 63 {
        return Ok(());
    }
    let sentence = format!("{messages} messages with {total_bytes} bytes exceed {FLOW_LIMIT} flows or 2^63 bytes");
    Err(Fault::say(&codes::PATTERN_LARGE, name, sentence).hint("use fewer ranks, messages or bytes").into())
}
