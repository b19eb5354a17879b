//! What the engine keeps of a message, from its first half until it is received.

use netloom_model::Reach;
use netloom_model::schedule::Protocol;

use crate::folded::NO_PAIR;

pub const NONE: u32 = u32::MAX;

/// 40 bytes: a machine may have tens of millions under way.
#[derive(Clone, Copy, Debug)]
pub struct Message {
    /// Ranks numbered over all jobs.
    pub src: u32,
    pub dst: u32,
    pub reach: Reach,
    /// The rank or strand whose request `send`, `receive` is, as long as that is open; another one may have its number later.
    pub sender: u32,
    pub receiver: u32,
    pub bytes: u64,
    /// Requests that wait for it, [`NONE`] if there is none (yet). Of a send that waits for its receive, `receive` is its turn
    /// among those of its rank, and `receiver` is [`NONE`].
    pub send: u32,
    pub receive: u32,
    pub tag: u32,
    pub matched: bool,
    pub started: bool,
    pub arrived: bool,
}

const _: () = assert!(size_of::<Message>() == 40);

/// What only messages of GPU libraries, of folded ranks or of a recorded run have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rare {
    pub protocol: Option<Protocol>,
    /// [`NONE`] without a protocol.
    pub connection: u32,
    /// The class of its pair of ranks, [`NO_PAIR`] where ranks are not folded.
    pub pair: u32,
    pub record: u32,
    /// Until its connection has a free buffer.
    pub held: bool,
}

pub const NO_RARE: Rare = Rare { protocol: None, connection: NONE, pair: NO_PAIR, record: NONE, held: false };

/// A message that begins at this instant, and which of the sends of its rank it is.
#[derive(Clone, Copy, Debug)]
pub struct Beginning {
    pub src: u32,
    pub turn: u32,
    pub id: u32,
}

/// Before anything is known of it.
pub const NO_MESSAGE: Message = Message {
    src: NONE,
    dst: NONE,
    reach: Reach::Between,
    sender: NONE,
    receiver: NONE,
    bytes: 0,
    tag: 0,
    send: NONE,
    receive: NONE,
    matched: false,
    started: false,
    arrived: false,
};

/// What is rare of each message: of the first ones, as far as any has some.
#[derive(Default)]
pub struct Rares(Vec<Rare>);

impl Rares {
    #[inline]
    pub fn of(&self, id: u32) -> Rare {
        self.0.get(id as usize).copied().unwrap_or(NO_RARE)
    }

    #[inline]
    pub fn set(&mut self, id: u32, rare: Rare) {
        let id = id as usize;
        if self.0.len() <= id {
            if rare == NO_RARE {
                return;
            }
            self.0.resize(id + 1, NO_RARE);
        }
        self.0[id] = rare;
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}
