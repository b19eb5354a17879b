//! What a rank did, as a recorder tells it: one call of MPI, or the time between two.

use netloom_model::Collective;

/// A receive's source or tag that means any; `UNDEFINED` is what SMPI writes both for any source and for no process at
/// all.
pub const UNDEFINED: i64 = -333;
pub const ANY_TAG: i64 = -444;
pub const ANY_SOURCE: i64 = -555;
pub const NO_PROCESS: i64 = -666;

/// The communicator of all ranks in order.
pub const WORLD: u32 = 0;

/// What names a request: its source, destination and tag, or a number of the recorder's own.
pub type Key = (i64, i64, i64);

/// One event. Peers and roots are numbers in the communicator.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Nothing that takes time.
    Nothing,
    /// Sets the size of elements without a datatype.
    Init {
        element_bytes: u64,
    },
    Compute(f64),
    Sleep(f64),
    Send {
        to: i64,
        tag: i64,
        bytes: u64,
        /// The request that it starts; `None` for a blocking send.
        starts: Option<Key>,
    },
    Receive {
        from: i64,
        tag: i64,
        bytes: u64,
        starts: Option<Key>,
    },
    /// A send and a receive at once.
    Exchange {
        to: i64,
        send_tag: i64,
        sent: u64,
        from: i64,
        receive_tag: i64,
        received: u64,
    },
    Test(Key),
    Wait(Key),
    WaitAll,
    /// A collective of the same size on all members; then `flops` of combining.
    Collective {
        collective: Collective,
        bytes: u64,
        root: u32,
        flops: f64,
        /// The request that it starts; `None` for a blocking one.
        starts: Option<Key>,
    },
    /// Bytes from this rank to every member, and from every member to it.
    Alltoallv {
        sent: Vec<u64>,
        received: Vec<u64>,
    },
    /// Bytes of every member.
    Allgatherv(Vec<u64>),
    /// Own bytes; at the root those of every member count.
    Gatherv {
        own: u64,
        counts: Vec<u64>,
        root: u32,
    },
    Scatterv {
        own: u64,
        counts: Vec<u64>,
        root: u32,
    },
    /// Bytes of every member, and elements of all.
    ReduceScatterv {
        counts: Vec<u64>,
        elements: u64,
        flops: f64,
    },
    /// A collective with counts that goes on by itself, and the request that it starts.
    Apart {
        event: Box<Event>,
        starts: Key,
    },
}
