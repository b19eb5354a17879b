//! Collectives and random messages together (Cui 2024 §5.4): the total number of messages stays, the share of collectives
//! varies.

use netloom_model::traffic::Flow;
use netloom_model::units::Quantity;
use netloom_model::{Call, Fault, Faults, Kind, Outcome, Param, Schedule, Stream, Traffic};

use super::made::{Made, check_total};
use super::params::{SEED, whole_bytes, wrong_ranks};
use super::random::random_flows;
use super::row::{Pattern, PatternRow, TEMPLATE};
use crate::codes;

pub(crate) const MIX: PatternRow = PatternRow {
    name: "mix",
    summary: "Whole collectives and random messages in a given ratio.",
    params: &[
        Param::required("collective", Kind::Text, "call of a collective, such as alltoall:bruck"),
        Param::optional("share", Kind::Float { min: 0.0, max: 1.0 }, "0.5", "messages of collectives / all messages"),
        Param::optional("messages", Kind::Int { min: 1, max: 1 << 26 }, "102400", "number of messages in all"),
        SEED,
        Param::optional("size", Kind::Quantity(Quantity::Bytes), "1", "size of the collective and of a random message")
            .keyword_only(),
    ],
    example: "mix(alltoall:bruck,share=0.5,messages=102400,seed=1)",
    restrictions: "two ranks or more, and those that the collective takes",
    source: "Cui 2024 §5.4 (102,400 messages)",
    build: Pattern {
        make: |ranks, bound| {
            let size = whole_bytes(bound, "size")? as i64;
            let schedule = crate::build(&Call::parse(bound.text("collective"))?, ranks.into(), 0, size)?;
            if ranks < 2 {
                return Err(wrong_ranks(bound, "at least 2", ranks).into());
            }
            let (share, messages) = (bound.float("share"), bound.int("messages") as u64);
            Ok(Made::List(mix(&schedule, share, messages, bound.int("seed") as u64)?))
        },
        ..TEMPLATE.build
    },
    ..TEMPLATE
};

/// `n` collectives of `m` messages each and random messages of `schedule.size_bytes` bytes, `messages` in all, where
/// `n = round(share·messages / m)`, or one fewer if that many do not fit. O(messages).
///
/// # Errors
/// `NL-P003` a share outside 0..1, no messages, or a schedule without messages; `NL-P001` fewer than two ranks; `NL-P002`
/// more than 2^27 flows or 2^63 bytes.
pub fn mix(schedule: &Schedule, share: f64, messages: u64, seed: u64) -> Outcome<Traffic> {
    let mut faults = Faults::none();
    if !(0.0..=1.0).contains(&share) {
        faults.push(Fault::new(&codes::MIX, "mix.share", "a number in 0..1", share));
    }
    if messages == 0 {
        faults.push(Fault::new(&codes::MIX, "mix.messages", "at least 1", messages));
    }
    if schedule.ranks < 2 || schedule.messages() == 0 {
        let sentence = format!("{} on {} ranks has no messages", schedule.label, schedule.ranks);
        faults.push(Fault::say(&codes::MIX, "mix.collective", sentence));
    }
    faults.or(())?;
    let each = schedule.messages();
    let collectives = ((share * messages as f64 / each as f64).round() as u64).min(messages / each);
    let random = messages - collectives * each;
    let once = if collectives == 0 { Vec::new() } else { Traffic::of_schedule(schedule)?.flows().to_vec() };
    let sent: u128 = once.iter().map(|f| u128::from(f.bytes)).sum();
    let total = sent * u128::from(collectives) + u128::from(random) * u128::from(schedule.size_bytes);
    check_total("mix", messages.into(), total)?;
    let label = format!("mix({},share={share},messages={messages},seed={seed})", schedule.label);
    let times = |f: &Flow| Flow { messages: f.messages * collectives, bytes: f.bytes * collectives, ..*f };
    let mut flows: Vec<Flow> = once.iter().map(times).collect();
    flows.extend(random_flows(schedule.ranks, random, schedule.size_bytes, &mut Stream::new(seed, "mix")));
    Ok(Traffic::new(label, schedule.ranks, flows))
}
