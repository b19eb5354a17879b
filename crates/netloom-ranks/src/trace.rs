//! The record of a simulation: messages, activity of every rank, bytes on links over time.

use netloom_model::{Collective, Op};

/// Bytes on links over time, in bins of equal width.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkBins {
    pub width_s: f64,
    pub bins: u32,
    /// Links that carried anything, ascending.
    pub links: Vec<u32>,
    /// Links × bins, row-major.
    pub bytes: Vec<f64>,
}

/// The record of one message. Times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MessageTrace {
    pub src: u32,
    pub dst: u32,
    pub bytes: u64,
    pub job: u32,
    /// The sender reached its send.
    pub posted_send_s: f64,
    /// The receiver reached its receive.
    pub posted_receive_s: f64,
    /// Both sides ready by the rules: handshake and latency of software start.
    pub start_s: f64,
    /// These two, as long as they take.
    pub handshake_s: f64,
    pub software_s: f64,
    /// They are over: the latency of the route starts.
    pub begun_s: f64,
    /// Latency over: bandwidth sharing starts.
    pub flow_s: f64,
    pub finish_s: f64,
}

/// Activity of a rank in an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    Compute,
    Overhead,
    /// Enters a collective.
    Call,
    /// Combines what has arrived with its own.
    Combine,
    /// Copies in its memory.
    Copy,
    WaitSend,
    WaitReceive,
    /// For several requests together.
    Wait,
}

/// The call of MPI, or of a library of collectives, that a rank is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Routine {
    /// The program computes.
    #[default]
    None,
    Send,
    Receive,
    StartSend,
    StartReceive,
    Wait,
    WaitAll,
    /// Waits for its strands.
    Join,
    /// Waits for another task of its own, or for a unit that another one has.
    Task,
    Collective(Collective),
}

impl Routine {
    /// Those that are no collective, in the order of their numbers.
    const SINGLE: [(Routine, &'static str); 9] = [
        (Routine::None, ""),
        (Routine::Send, "send"),
        (Routine::Receive, "recv"),
        (Routine::StartSend, "isend"),
        (Routine::StartReceive, "irecv"),
        (Routine::Wait, "wait"),
        (Routine::WaitAll, "waitall"),
        (Routine::Join, "join"),
        (Routine::Task, "task"),
    ];

    /// That of an action of a program outside of its collectives.
    pub fn of(op: Op) -> Routine {
        match op {
            Op::Send { .. } => Routine::Send,
            Op::Receive { .. } => Routine::Receive,
            Op::StartSend { .. } => Routine::StartSend,
            Op::StartReceive { .. } => Routine::StartReceive,
            Op::Wait { .. } => Routine::Wait,
            Op::WaitAll => Routine::WaitAll,
            Op::Join => Routine::Join,
            Op::Await { .. } | Op::Take { .. } => Routine::Task,
            Op::Compute { .. } | Op::Sleep { .. } | Op::Collective { .. } | Op::Repeat { .. } | Op::Strand { .. } => {
                Routine::None
            }
            Op::Signal { .. } | Op::Give { .. } | Op::ComputeNext | Op::SleepNext => Routine::None,
        }
    }

    /// Its row among [`Routine::names`].
    pub fn number(self) -> u8 {
        let at = match self {
            Routine::Collective(collective) => {
                Routine::SINGLE.len() + Collective::ALL.iter().position(|one| *one == collective).unwrap_or(0)
            }
            single => Routine::SINGLE.iter().position(|(one, _)| *one == single).unwrap_or(0),
        };
        at as u8
    }

    /// Names of all calls by number; "" where the program computes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Routine::SINGLE.iter().map(|(_, name)| *name).chain(Collective::ALL.iter().map(|one| one.name()))
    }
}

/// One interval of one rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Numbered over all jobs.
    pub rank: u32,
    pub activity: Activity,
    pub call: Routine,
    pub start_s: f64,
    pub end_s: f64,
    /// The message that ended the wait, `u32::MAX` for none.
    pub message: u32,
}

/// The record of one simulation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    pub ranks: u32,
    pub messages: Vec<MessageTrace>,
    /// In order of end time; per rank without gaps, intervals of no length left out.
    pub intervals: Vec<Interval>,
    pub link_bins: LinkBins,
}
