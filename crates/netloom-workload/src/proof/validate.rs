//! Shape before meaning: every index in range, steps in order, blocks as the operation numbers them.

use netloom_model::schedule::{Blocks, ListedRounds, Partner, RelativeRange, Rounds};
use netloom_model::{Collective, Fault, Outcome, Schedule};

use super::expected::{block_count, combines};
use super::findings::Findings;
use crate::codes;
use crate::collectives::Largest;

/// # Errors
/// `NL-C005` for everything out of range and for combining where blocks only move, `NL-C014` for cyclic rounds of an
/// operation that is not symmetric, `NL-C003` for bytes beyond 2^63.
pub(crate) fn check(s: &Schedule) -> Outcome<()> {
    let mut findings = Findings::new();
    let say = |text: String| Fault::say(&codes::MALFORMED, &s.label, text);
    let wanted = block_count(s);
    if s.switches >= s.ranks || s.root >= s.members() {
        findings.add(|| say(format!("root {} is not one of {} ranks", s.root, s.ranks.saturating_sub(s.switches))));
    }
    if s.blocks.count() == 0 || wanted.is_some_and(|w| w != s.blocks.count()) {
        let expected = wanted.map_or("at least one".into(), |w| w.to_string());
        findings.add(|| say(format!("{} needs {expected} blocks, has {}", s.collective, s.blocks.count())));
    }
    if bytes_of(s.blocks).is_none() {
        let sentence = format!("blocks of {} bytes exceed 2^63 bytes together", s.size_bytes);
        findings.add(|| Fault::say(&codes::SIZE, &s.label, sentence));
    }
    findings.check()?;
    match &s.rounds {
        Rounds::Cyclic(_) => check_symmetry(s)?,
        Rounds::Explicit { .. } => check_listed(s, s.steps)?,
        Rounds::Both { cyclic, .. } => check_listed(s, cyclic.first().map_or(s.steps, |round| round.step))?,
    }
    check_cyclic(s)?;
    check_bytes(s)
}

/// Bytes of all blocks, if below 2^63.
fn bytes_of(blocks: Blocks) -> Option<u64> {
    let bytes = match blocks {
        Blocks::Split { total_bytes, .. } => Some(total_bytes),
        Blocks::Each { bytes, count } => bytes.checked_mul(count),
        Blocks::Parts { bytes, units, .. } => bytes.checked_mul(u64::from(units)),
    };
    bytes.filter(|b| *b < 1 << 63)
}

/// The bytes of one message are below 2^63 by now; those of all must be as well.
fn check_bytes(s: &Schedule) -> Outcome<()> {
    let total = match (&s.rounds, bytes_of(s.blocks)) {
        // No block is carried more often than messages exist, so a quick product settles almost all cases.
        (_, Some(all)) if u128::from(all) * u128::from(s.messages()) < 1 << 63 => 0,
        (Rounds::Cyclic(rounds), _) => {
            rounds.iter().map(|r| u128::from(r.bytes)).sum::<u128>() * u128::from(s.ranks) * u128::from(s.channels)
        }
        _ => {
            let mut sum = 0u128;
            s.for_each_message(|m| sum += u128::from(m.bytes));
            sum
        }
    };
    if total < 1 << 63 {
        return Ok(());
    }
    Err(Fault::say(&codes::SIZE, &s.label, format!("all messages together have {total} bytes, beyond 2^63")).into())
}

/// The list takes the first `steps` steps.
fn check_listed(s: &Schedule, steps: u32) -> Outcome<()> {
    let ListedRounds { offsets, transfers, ranges } = s.rounds.listed();
    let mut findings = Findings::new();
    let blocks = s.blocks.count();
    if blocks > u64::from(u32::MAX) {
        findings.add(|| Fault::say(&codes::MALFORMED, &s.label, format!("lists {blocks} blocks, more than 2^32 - 1")));
        return findings.check();
    }
    let ordered = offsets.windows(2).all(|w| w[0] <= w[1]);
    let ends = offsets.first() == Some(&0) && offsets.last().map(|o| *o as usize) == Some(transfers.len());
    if !(ordered && ends && offsets.len() as u64 == u64::from(steps) + 1) {
        findings.add(|| {
            let sentence = format!("the offsets do not cut {} transfers into {steps} steps", transfers.len());
            Fault::say(&codes::MALFORMED, &s.label, sentence)
        });
        return findings.check();
    }
    let may_combine = combines(s.collective);
    for step in 0..steps as usize {
        for t in &transfers[offsets[step] as usize..offsets[step + 1] as usize] {
            let end = u64::from(t.first_range) + u64::from(t.ranges);
            let trouble = if t.src >= s.ranks || t.dst >= s.ranks {
                Some(format!("names a rank beyond {}", s.ranks - 1))
            } else if t.src == t.dst {
                Some("goes from a rank to itself".into())
            } else if end > ranges.len() as u64 {
                Some("names block ranges that do not exist".into())
            } else if t.ranges == 0 {
                Some("carries no block".into())
            } else if t.combine && !may_combine {
                Some(combined(s.collective))
            } else {
                let held = &ranges[t.first_range as usize..end as usize];
                let outside = held.iter().find(|r| r.count == 0 || u64::from(r.first) + u64::from(r.count) > blocks);
                let carried: u64 = held.iter().map(|r| u64::from(r.count)).sum();
                match outside {
                    Some(r) => Some(format!("carries {} blocks from {}, but there are {blocks}", r.count, r.first)),
                    None if carried > blocks => Some(format!("carries {carried} blocks, but there are {blocks}")),
                    None => None,
                }
            };
            if let Some(trouble) = trouble {
                let sentence = format!("step {step}: the transfer from {} to {} {trouble}", t.src, t.dst);
                findings.add(|| Fault::say(&codes::MALFORMED, &s.label, sentence));
            }
        }
    }
    findings.check()
}

/// The fault of a message that combines in an operation without combining.
fn combined(collective: Collective) -> String {
    format!("combines, but {collective} only moves blocks")
}

fn check_symmetry(s: &Schedule) -> Outcome<()> {
    use Collective::{Allgather, Allreduce, Alltoall, Barrier, ReduceScatter};
    let (p, count) = (u64::from(s.ranks), s.blocks.count() / u64::from(s.channels));
    let symmetric = match s.collective {
        Alltoall | Barrier => true,
        Allgather | ReduceScatter => count.is_multiple_of(p),
        Allreduce => count.is_multiple_of(p) || count == 1,
        _ => false,
    };
    if !symmetric {
        let sentence = format!("{} with {count} blocks on {p} ranks does not treat all ranks alike", s.collective);
        return Err(Fault::say(&codes::SYMMETRY, &s.label, sentence).hint("list the transfers").into());
    }
    Ok(())
}

fn check_cyclic(s: &Schedule) -> Outcome<()> {
    let (p, count) = (u64::from(s.ranks), s.blocks.count() / u64::from(s.channels));
    let may_combine = combines(s.collective);
    let mut findings = Findings::new();
    let mut step = 0;
    let mut largest = Largest::new((s.blocks, s.channels), s.ranks);
    for (i, round) in s.rounds.cyclic().iter().enumerate() {
        let wraps = !matches!(round.partner, Partner::Xor(_)) && count > 1;
        let (parts, row) = ((count / p).max(1), count.min(p));
        let inside = |r: &RelativeRange| {
            let end = u64::from(r.first) + u64::from(r.count);
            let there = u64::from(r.part) < parts && u64::from(r.first) < row && r.count > 0;
            there && (end <= row || wraps && u64::from(r.count) <= row)
        };
        let in_order = round.step >= step && round.step < s.steps;
        step = round.step;
        let carried: u64 = round.ranges.iter().map(|r| u64::from(r.count)).sum();
        let shaped = (1..=count).contains(&carried) && round.ranges.iter().all(inside);
        if !(round.partner.fits(s.ranks) && in_order && shaped && largest.of(round) == round.bytes) {
            let sentence =
                format!("round {i} (step {}) has a step, partner, block or size that does not exist", round.step);
            findings.add(|| Fault::say(&codes::MALFORMED, &s.label, sentence));
        } else if round.combine && !may_combine {
            let sentence = format!("round {i} (step {}) {}", round.step, combined(s.collective));
            findings.add(|| Fault::say(&codes::MALFORMED, &s.label, sentence));
        }
    }
    findings.check()
}
