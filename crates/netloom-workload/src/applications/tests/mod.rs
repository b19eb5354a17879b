//! Programs are unrolled, their messages matched and counted.

mod checks;
mod contract;
mod described;
mod matching;
mod places;

use std::collections::BTreeMap;

use netloom_model::{Call, Collective, Op, Outcome, Programs};

use super::class::Class;
use super::legal::Legal;
use super::{APPLICATIONS, ApplicationRow, application, default_collectives};

/// The application of `text` on `ranks` ranks.
fn made(text: &str, ranks: u32) -> Outcome<Programs> {
    application(&Call::parse(text).unwrap(), ranks, &default_collectives)
}

/// The rows of the NAS parallel benchmarks: those with classes.
fn benchmarks() -> impl Iterator<Item = &'static ApplicationRow> {
    APPLICATIONS.rows.iter().filter(|row| row.params.iter().any(|param| param.name == "class"))
}

/// The numbers of ranks of a row with these arguments.
fn legal(row: &ApplicationRow, arguments: &str) -> Legal {
    let (_, bound) = APPLICATIONS.bind(&Call::parse(&format!("{}({arguments})", row.name)).unwrap()).unwrap();
    (row.legal)(&bound)
}

/// Calls of every row, with the numbers of ranks that they take.
fn cases() -> Vec<(String, Legal)> {
    let mut found = Vec::new();
    for row in APPLICATIONS.rows {
        let arguments: Vec<String> = match row.name {
            "pf3d" => ["x=4,y=2,iterations=2", "x=2,y=3,send=non-blocking", "x=1,y=1,x_bytes=0"].map(Into::into).into(),
            "milc" => ["iterations=2", "grid=[3,1,2,4]"].map(Into::into).into(),
            "sweep" => ["3,4", "2,3,2,bytes=7,times=3", "5,times=2,back=false", "1,1"].map(Into::into).into(),
            "communicators" => {
                ["alltoall,4,one,bytes=7", "allreduce,3,iterations=2", "barrier,2"].map(Into::into).into()
            }
            "fft3d" => [
                "n=[8,6,7],decomposition=[4,3],cutoff=6,direction=both",
                "n=[8,6,7],decomposition=3,instances=2,d3=block,mapping=round-robin",
                "n=[8,8,8],decomposition=[4,2],d3=grid,exchange=alltoall",
                "n=[8,7,9],decomposition=[2,4],d3=grid,exchange=alltoallv,bricks=[2,2,2],direction=both",
            ]
            .map(Into::into)
            .into(),
            "splatt" => ["iterations=2", "grid=[2,4,3],nonzeros=7"].map(Into::into).into(),
            _ => Class::NAMES[..2]
                .iter()
                .flat_map(|class| ["timed", "whole"].map(|part| format!("class={class},iterations=2,part={part}")))
                .collect(),
        };
        found.extend(arguments.into_iter().map(|text| (format!("{}({text})", row.name), legal(row, &text))));
    }
    found
}

/// Calls `visit` with every action of a rank, loops unrolled.
fn unrolled(ops: &[Op], visit: &mut impl FnMut(Op)) {
    let mut at = 0;
    while at < ops.len() {
        if let Op::Repeat { ops: within, times } = ops[at] {
            let end = at + 1 + within as usize;
            (0..times).for_each(|_| unrolled(&ops[at + 1..end], visit));
            at = end;
        } else {
            visit(ops[at]);
            at += 1;
        }
    }
}

/// Activity of a rank: per peer messages and bytes; per collective (operation, size) the number of calls; operations.
#[derive(Clone, Debug, Default, PartialEq)]
struct Sent {
    peers: BTreeMap<u32, (u64, u64)>,
    collectives: BTreeMap<(Collective, u64), u64>,
    flops: f64,
}

impl Sent {
    fn messages(&self) -> u64 {
        self.peers.values().map(|p| p.0).sum()
    }
    fn bytes(&self) -> u64 {
        self.peers.values().map(|p| p.1).sum()
    }
}

/// Counts of every rank.
fn expand(programs: &Programs) -> Vec<Sent> {
    let of = |rank| {
        let mut sent = Sent::default();
        unrolled(programs.of(rank), &mut |op| match op {
            Op::Send { peer, bytes, .. } | Op::StartSend { peer, bytes, .. } => {
                let counts = sent.peers.entry(peer).or_default();
                *counts = (counts.0 + 1, counts.1 + bytes);
            }
            Op::Collective { call, .. } => {
                let schedule = &programs.calls[call as usize].schedule;
                *sent.collectives.entry((schedule.collective, schedule.size_bytes)).or_default() += 1;
            }
            Op::Compute { flops } => sent.flops += flops,
            _ => {}
        });
        sent
    };
    (0..programs.ranks()).map(of).collect()
}

/// Most messages and most bytes of any rank.
fn most(programs: &Programs) -> (u64, u64) {
    let sent = expand(programs);
    (sent.iter().map(Sent::messages).max().unwrap(), sent.iter().map(Sent::bytes).max().unwrap())
}
