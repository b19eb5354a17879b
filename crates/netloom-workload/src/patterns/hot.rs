//! Uniform traffic of which a share goes to few ranks.

use std::sync::Arc;

use netloom_model::{Bound, Kind, Outcome, Param, Sends};

use super::made::Made;
use super::params::{BYTES, bytes, wrong_ranks};
use super::row::{Pattern, PatternRow, TEMPLATE};

pub(crate) const HOT_SPOT: PatternRow = PatternRow {
    name: "hot-spot",
    aliases: &["hotspot"],
    summary: "Every rank sends a share of its messages to few hot ranks, the rest to every other rank alike.",
    params: &[
        Param::optional(
            "share",
            Kind::Float { min: 0.0, max: 0.999 },
            "0.1",
            "of the messages of a rank, on top of what hot ranks get as others",
        ),
        Param::optional("hot", Kind::Int { min: 1, max: 1 << 24 }, "1", "hot ranks: rank 0 and others evenly after it"),
        Param::optional(
            "messages",
            Kind::Int { min: 1, max: 1 << 20 },
            "100",
            "from every rank to every other that is not hot",
        ),
        BYTES,
    ],
    example: "hot-spot(share=0.1,hot=1)",
    restrictions: "two ranks or more, at least as many as are hot",
    source: "Pfister & Norton 1985; Dally & Towles 2004, §3.2",
    build: Pattern { make: hot_spot, ..TEMPLATE.build },
};

struct Hot {
    label: String,
    ranks: u32,
    hot: u32,
    messages: u64,
    /// Additional messages to each hot rank, by the number of hot ranks that are not the sender.
    more: [u64; 2],
    bytes: u64,
}

impl Hot {
    fn is_hot(&self, rank: u32) -> bool {
        // Hot rank i is i p / h, rounded down.
        let i = (u64::from(rank) * u64::from(self.hot)).div_ceil(u64::from(self.ranks));
        i * u64::from(self.ranks) / u64::from(self.hot) == u64::from(rank) && i < u64::from(self.hot)
    }
}

impl Sends for Hot {
    fn label(&self) -> &str {
        &self.label
    }
    fn ranks(&self) -> u32 {
        self.ranks
    }
    fn for_each(&self, rank: u32, visit: &mut dyn FnMut(u32, u64, u64)) {
        if rank >= self.ranks {
            return;
        }
        let more = self.more[usize::from(self.is_hot(rank))];
        for to in (0..self.ranks).filter(|to| *to != rank) {
            let messages = self.messages + if self.is_hot(to) { more } else { 0 };
            visit(to, messages, messages * self.bytes);
        }
    }
}

fn hot_spot(ranks: u32, bound: &Bound) -> Outcome<Made> {
    let (share, hot, messages) = (bound.float("share"), bound.int("hot") as u32, bound.int("messages") as u64);
    let bytes = bytes(bound)?;
    if ranks < 2 || hot > ranks {
        return Err(wrong_ranks(bound, &format!("at least {}", hot.max(2)), ranks).into());
    }
    // Of a rank's messages m (p - 1) go to all alike; the others are the share of all.
    let others = (messages * u64::from(ranks - 1)) as f64 * share / (1.0 - share);
    let more = [hot, hot - 1].map(|hot| if hot > 0 { (others / f64::from(hot)).round() as u64 } else { 0 });
    let pairs = u128::from(ranks) * u128::from(ranks - 1);
    let most = pairs * u128::from(messages) + u128::from(ranks) * u128::from(hot) * u128::from(more[0].max(more[1]));
    let label = bound.canonical().to_string();
    let sends = Arc::new(Hot { label, ranks, hot, messages, more, bytes });
    Made::stream(&bound.owner, sends, pairs, most * u128::from(bytes))
}
