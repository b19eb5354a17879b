//! Ordered pairs of ranks between which messages of a schedule go, and what goes there.

use netloom_model::schedule::{ListedRounds, Partner};
use netloom_model::stream::mix;
use netloom_model::{CyclicRound, Schedule};

/// Pairs in order of source and destination: of ranks, or of channels, `rank · parts + channel`, where these have classes of
/// their own.
pub struct Pairs {
    /// 1, or the channels of a rank.
    pub parts: u32,
    pub src: Vec<u32>,
    pub dst: Vec<u32>,
    /// Hash of the messages of a pair: their steps, bytes and what becomes of them.
    pub what: Vec<u64>,
    /// Pairs by destination, in order of it.
    pub by_dst: Vec<u32>,
}

/// Numbers, as one number.
pub fn hashed(words: &[u64]) -> u64 {
    words.iter().fold(words.len() as u64, |hash, word| mix(hash ^ mix(word.wrapping_add(0x9e37_79b9_7f4a_7c15))))
}

impl Pairs {
    /// `ordered`: the order of a rank's sends in a step tells them apart. `None` for more than `most` pairs, and for
    /// cyclic rounds whose messages differ in size. O(messages) for listed schedules, O(rounds + pairs) for cyclic ones.
    pub fn of(schedule: &Schedule, parts: u32, ordered: bool, most: u64) -> Option<Pairs> {
        let mut found = match schedule.rounds.cyclic() {
            [] => Vec::new(),
            rounds => cyclic(schedule, rounds, parts, most)?,
        };
        found.extend(listed(schedule, parts, ordered));
        found.sort_unstable_by_key(|pair| (pair.0, pair.1));
        found.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            kept.2 = if same { kept.2.wrapping_add(next.2) } else { kept.2 };
            same
        });
        if found.len() as u64 > most {
            return None;
        }
        let mut by_dst: Vec<u32> = (0..found.len() as u32).collect();
        by_dst.sort_by_key(|pair| found[*pair as usize].1);
        Some(Pairs {
            parts,
            src: found.iter().map(|pair| pair.0).collect(),
            dst: found.iter().map(|pair| pair.1).collect(),
            what: found.iter().map(|pair| pair.2).collect(),
            by_dst,
        })
    }

    pub fn len(&self) -> usize {
        self.src.len()
    }

    /// The pairs of a source.
    pub fn from(&self, rank: u32) -> std::ops::Range<usize> {
        self.src.partition_point(|src| *src < rank)..self.src.partition_point(|src| *src <= rank)
    }

    /// The pairs of a destination.
    pub fn to(&self, rank: u32) -> &[u32] {
        let at = |pair: &u32| self.dst[*pair as usize];
        let first = self.by_dst.partition_point(|pair| at(pair) < rank);
        &self.by_dst[first..self.by_dst.partition_point(|pair| at(pair) <= rank)]
    }

    pub fn between(&self, src: u32, dst: u32) -> Option<usize> {
        let own = self.from(src);
        self.dst[own.clone()].binary_search(&dst).ok().map(|at| own.start + at)
    }
}

/// The number of a rank, or of its channel, and what tells the channel from others of the rank.
fn part(rank: u32, channel: u32, parts: u32) -> (u32, u64) {
    if parts == 1 { (rank, channel.into()) } else { (rank * parts + channel, 0) }
}

fn cyclic(schedule: &Schedule, rounds: &[CyclicRound], parts: u32, most: u64) -> Option<Vec<(u32, u32, u64)>> {
    if !schedule.blocks.are_even() {
        return None;
    }
    let mut partners: Vec<(Partner, u64)> = Vec::new();
    for (number, round) in rounds.iter().enumerate() {
        let flags = u64::from(round.combine) | u64::from(round.ranges.len() > 1) << 1;
        let what = hashed(&[number as u64, round.step.into(), round.bytes, flags]);
        // Partners of rounds repeat at once or come in order.
        match partners.last_mut() {
            Some(last) if last.0 == round.partner => last.1 = last.1.wrapping_add(what),
            _ => match partners.binary_search_by_key(&round.partner, |there| there.0) {
                Ok(at) => partners[at].1 = partners[at].1.wrapping_add(what),
                Err(at) => partners.insert(at, (round.partner, what)),
            },
        }
        // Those of one channel are all different.
        if partners.len() as u64 * u64::from(schedule.ranks) > most {
            return None;
        }
    }
    let mut found = Vec::new();
    for channel in 0..schedule.channels {
        for (partner, what) in &partners {
            let at = |position| part(schedule.rank_at(channel, position), channel, parts);
            let pair = |position| {
                let (src, told) = at(position);
                (src, at(partner.of(position, schedule.ranks)).0, hashed(&[*what, told]))
            };
            found.extend((0..schedule.ranks).map(pair).filter(|pair| pair.0 != pair.1));
        }
    }
    Some(found)
}

fn listed(schedule: &Schedule, parts: u32, ordered: bool) -> Vec<(u32, u32, u64)> {
    let ListedRounds { transfers, ranges, .. } = schedule.rounds.listed();
    let mut sent = vec![0u32; if ordered { schedule.ranks as usize } else { 0 }];
    let mut found = Vec::with_capacity(transfers.len());
    let mut listed = transfers.iter();
    schedule.for_each_listed(|m| {
        let Some(transfer) = listed.next().filter(|transfer| transfer.src != transfer.dst) else { return };
        let order = sent.get_mut(m.src as usize).map_or(0, |sent| {
            *sent += 1;
            *sent
        });
        let block = ranges.get(transfer.first_range as usize).map_or(0, |range| range.first);
        let flags = u64::from(transfer.combine) | u64::from(transfer.ranges > 1) << 1;
        let channel = schedule.channel_of(block);
        let ((src, told), (dst, _)) = (part(m.src, channel, parts), part(m.dst, channel, parts));
        found.push((src, dst, hashed(&[order.into(), m.step.into(), m.bytes, flags, told])));
    });
    found
}
