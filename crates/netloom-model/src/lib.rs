//! The nouns that every room shares: network, paths, mapping, schedule, traffic; and what they are written with:
//! values, units, faults, seeded streams. No I/O, no clock, no ambient randomness.

pub mod call;
pub mod clock;
pub mod distance;
pub mod draws;
pub mod fault;
pub mod mapping;
pub mod network;
pub mod param;
pub mod paths;
pub mod program;
pub mod progress;
pub mod schedule;
pub mod sends;
pub mod stream;
pub mod time;
pub mod traffic;
pub mod units;

pub use call::{Call, Value};
pub use clock::Clock;
pub use distance::HopMatrix;
pub use draws::{Draws, Family};
pub use fault::{CodeRow, Fault, Faults, Outcome};
pub use mapping::Mapping;
pub use network::{LinkClass, Network, NetworkBuilder, Structure};
pub use param::{Bound, Kind, Param};
pub use paths::{Ask, Path, PathList, Routing};
pub use program::{GroupCall, Op, Programs};
pub use progress::Progress;
pub use schedule::{BlockRange, Blocks, Collective, CyclicRound, Partner, Rounds, Schedule, Transfer};
pub use sends::{ScheduleSends, Sends};
pub use stream::Stream;
pub use time::Time;
pub use traffic::Traffic;
