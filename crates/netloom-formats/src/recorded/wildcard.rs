//! Which message a receive from any source, or with any tag, took. The trace does not say; if all messages not taken by
//! other receives come from one rank with one tag, there is only one answer.

use std::collections::BTreeMap;

use super::calls::Group;
use super::event::{ANY_SOURCE, ANY_TAG, Event, NO_PROCESS, UNDEFINED};

/// A receiver and the communicator, and the source and tag that its receive names; None for any.
type Pattern = (Receiver, Option<i64>, Option<i64>);
/// A receiver, and the communicator of a message to it.
type Receiver = (u32, u32);

/// A rank in a communicator, whose members have these ranks.
#[derive(Clone, Copy)]
pub struct Member<'m> {
    pub rank: u32,
    pub group: u32,
    pub members: &'m [u32],
}

impl Member<'_> {
    /// The rank of a member.
    pub fn world(&self, member: i64) -> Option<u32> {
        usize::try_from(member).ok().and_then(|member| self.members.get(member)).copied()
    }

    fn at(&self) -> Receiver {
        (self.rank, self.group)
    }
}

/// The match of a receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A message from this rank with this tag.
    Rank(u32, i64),
    /// The communicator has no such member.
    Outside,
    /// No process sends it: it is complete at once.
    Nobody,
    /// Several fit, or none.
    Ambiguous,
}

/// The messages of a trace.
#[derive(Debug, Default)]
pub struct Wildcards {
    /// Messages less the receives that name them, by receiver, tag and source.
    left: BTreeMap<(Receiver, i64, i64), i64>,
    /// Counts by receiver, source and tag.
    by_source: BTreeMap<(Receiver, i64, i64), i64>,
    asked: BTreeMap<Pattern, i64>,
}

fn pattern(of: Member<'_>, from: i64, tag: i64) -> Option<Pattern> {
    let any_source = from == UNDEFINED || from == ANY_SOURCE;
    let any_tag = tag == ANY_TAG;
    if !any_source && !any_tag {
        return None;
    }
    let from = if any_source { None } else { of.world(from).map(i64::from) };
    Some((of.at(), from, (!any_tag).then_some(tag)))
}

impl Wildcards {
    /// Counts one event of a rank in a communicator. O(log messages).
    pub fn count(&mut self, rank: u32, group: u32, members: &Group, event: &Event) {
        let of = Member { rank, group, members: &members.members };
        match *event {
            Event::Send { to, tag, .. } => self.sent(of, to, tag),
            Event::Receive { from, tag, .. } => self.received(of, from, tag),
            Event::Exchange { to, send_tag, from, receive_tag, .. } => {
                self.sent(of, to, send_tag);
                self.received(of, from, receive_tag);
            }
            _ => {}
        }
    }

    fn sent(&mut self, of: Member<'_>, to: i64, tag: i64) {
        if let Some(to) = of.world(to) {
            *self.left.entry(((to, of.group), tag, i64::from(of.rank))).or_default() += 1;
        }
    }

    fn received(&mut self, of: Member<'_>, from: i64, tag: i64) {
        match (pattern(of, from, tag), of.world(from)) {
            (Some(pattern), _) => *self.asked.entry(pattern).or_default() += 1,
            (None, Some(from)) => *self.left.entry((of.at(), tag, i64::from(from))).or_default() -= 1,
            (None, None) => {}
        }
    }

    /// Resolves every pattern, those that name a source or a tag first: messages that they take are not available to
    /// the others. O((patterns + messages) log messages).
    pub fn resolve(mut self) -> Answers {
        self.left.retain(|_, n| *n > 0);
        self.by_source = self.left.iter().map(|(&(to, tag, from), &n)| ((to, from, tag), n)).collect();
        let mut answers: BTreeMap<Pattern, Source> = BTreeMap::new();
        let asked = std::mem::take(&mut self.asked);
        for open in [false, true] {
            let same = |pattern: &Pattern| (pattern.1.is_none() && pattern.2.is_none()) == open;
            let some: Vec<(Pattern, i64)> = asked.iter().filter(|(p, _)| same(p)).map(|(&p, &n)| (p, n)).collect();
            let found: Vec<Source> = some.iter().map(|&(pattern, _)| self.only(pattern)).collect();
            for (&(pattern, n), &source) in some.iter().zip(&found) {
                if let Source::Rank(from, tag) = source {
                    self.take(pattern.0, tag, i64::from(from), n);
                }
            }
            // More receives than messages: some of them have no process, and the trace does not say which.
            for (&(pattern, _), source) in some.iter().zip(found) {
                let short = matches!(source, Source::Rank(from, tag)
                    if self.left.get(&(pattern.0, tag, i64::from(from))) < Some(&0));
                answers.insert(pattern, if short { Source::Ambiguous } else { source });
            }
            self.left.retain(|_, n| *n > 0);
        }
        Answers(answers)
    }

    fn take(&mut self, to: Receiver, tag: i64, from: i64, messages: i64) {
        if let Some(left) = self.left.get_mut(&(to, tag, from)) {
            *left -= messages;
        }
    }

    /// The one source and tag that fit.
    fn only(&self, (rank, from, tag): Pattern) -> Source {
        const ALL: (i64, i64) = (i64::MIN, i64::MAX);
        let fit: Vec<(i64, i64)> = match (from, tag) {
            (Some(from), _) => {
                let range = (rank, from, ALL.0)..=(rank, from, ALL.1);
                self.by_source.range(range).take(2).map(|(&(_, from, tag), _)| (from, tag)).collect()
            }
            (None, Some(tag)) => {
                let range = (rank, tag, ALL.0)..=(rank, tag, ALL.1);
                self.left.range(range).take(2).map(|(&(_, tag, from), _)| (from, tag)).collect()
            }
            (None, None) => {
                let range = (rank, ALL.0, ALL.0)..=(rank, ALL.1, ALL.1);
                self.left.range(range).take(2).map(|(&(_, tag, from), _)| (from, tag)).collect()
            }
        };
        match fit[..] {
            [] => Source::Nobody,
            [(from, tag)] => Source::Rank(from as u32, tag),
            _ => Source::Ambiguous,
        }
    }
}

/// The match of every wildcard of a trace.
#[derive(Debug, Default)]
pub struct Answers(BTreeMap<Pattern, Source>);

impl Answers {
    /// The source of the message of a receive of a rank in a communicator.
    pub fn source(&self, of: Member<'_>, from: i64, tag: i64) -> Source {
        match pattern(of, from, tag).map(|pattern| self.0.get(&pattern)) {
            // Only the value that SMPI writes for no process can mean it.
            Some(None | Some(Source::Nobody)) if from != UNDEFINED => Source::Ambiguous,
            Some(found) => found.copied().unwrap_or(Source::Nobody),
            None if from == NO_PROCESS => Source::Nobody,
            None => of.world(from).map_or(Source::Outside, |from| Source::Rank(from, tag)),
        }
    }
}
