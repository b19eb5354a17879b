//! Buffers and outputs in flat arrays.

use netloom_model::Network;

use super::Settings;

/// The FIFOs of all channels of switch links and injection links: slot = link · channels + channel. Each is a count, the
/// place of its head, and a ring of packets, in one row of words.
pub struct Fifos {
    words: Vec<u32>,
    /// Words per FIFO of a switch link, and of an injection link; both powers of two.
    short: u32,
    long: u32,
    /// First slot of injection links.
    injection: u32,
}

/// Words before the ring.
const HEAD: u32 = 2;

impl Fifos {
    pub fn new(network: &Network, settings: &Settings) -> Fifos {
        let short = settings.buffer_packets.next_power_of_two() + HEAD;
        let long = settings.injection_packets.next_power_of_two() + HEAD;
        let v = settings.channels as usize;
        let links = network.switch_links() as usize * v * short as usize;
        let size = links + network.endpoints() as usize * v * long as usize;
        Fifos { words: vec![0; size], short, long, injection: network.switch_links() * settings.channels }
    }

    /// First word of a slot, and the mask of its ring.
    #[inline]
    fn at(&self, slot: u32) -> (usize, u32) {
        match slot.checked_sub(self.injection) {
            None => (slot as usize * self.short as usize, self.short - HEAD - 1),
            Some(after) => {
                let start = self.injection as usize * self.short as usize;
                (start + after as usize * self.long as usize, self.long - HEAD - 1)
            }
        }
    }

    /// The number of packets after it.
    #[inline]
    pub fn push(&mut self, slot: u32, packet: u32) -> u32 {
        let (at, mask) = self.at(slot);
        let len = self.words[at];
        let place = (self.words[at + 1] + len) & mask;
        self.words[at + (HEAD + place) as usize] = packet;
        self.words[at] = len + 1;
        len + 1
    }

    /// The packet that leaves, and the number of those left.
    #[inline]
    pub fn pop(&mut self, slot: u32) -> (u32, u32) {
        let (at, mask) = self.at(slot);
        let head = self.words[at + 1];
        self.words[at] -= 1;
        self.words[at + 1] = (head + 1) & mask;
        (self.words[at + (HEAD + head) as usize], self.words[at])
    }

    #[inline]
    pub fn front(&self, slot: u32) -> u32 {
        let (at, _) = self.at(slot);
        self.words[at + (HEAD + self.words[at + 1]) as usize]
    }

    /// The packet behind the front one.
    #[inline]
    pub fn second(&self, slot: u32) -> Option<u32> {
        let (at, mask) = self.at(slot);
        let place = (self.words[at + 1] + 1) & mask;
        (self.words[at] > 1).then(|| self.words[at + (HEAD + place) as usize])
    }

    /// Packets of a slot; reading them brings its row to the cache.
    #[inline]
    pub fn len(&self, slot: u32) -> u32 {
        self.words[self.at(slot).0]
    }
}

/// Class of heads that may take links in different classes, or leave the network.
pub const MIXED: u8 = u8::MAX;

/// A head that waits at a switch, with what is asked of its packet in every cycle until it goes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Head {
    /// Outputs of the switch that it may take, one bit each.
    pub outputs: u64,
    /// Place after the link that it has drawn, or the ejection link.
    pub after: u64,
    /// When its tail comes.
    pub tail: u64,
    pub packet: u32,
    pub slot: u32,
    /// Row of next hops, for a packet that chooses when it goes.
    pub row: u32,
    pub class: u8,
    /// What is added to the classes of the row: the leg of its detour.
    pub shift: u8,
}

/// The outputs of every switch: links to switches in their order, then ejection links. A switch has at most 64 of them
/// here; with more, several outputs share a bit, which says then that one of them may be free.
pub struct Outputs {
    /// Per switch, outputs that move a packet; per switch and class, outputs without room behind them.
    busy: Vec<u64>,
    full: Vec<u64>,
    moving: Vec<bool>,
    /// Free places in the FIFO of each slot, as the tail of its link knows it, and their sum per class.
    room: Vec<u16>,
    rooms: Vec<u32>,
    /// Place of each endpoint among those of its switch.
    port: Vec<u32>,
    classes: u32,
    channels: u32,
    /// First channel of each class, and their end; class of each channel.
    parts: Vec<u32>,
    class_of: Vec<u8>,
    /// Free places of a class up to which one more may let a head go that waits: 2 where rings need a bubble.
    tight: u32,
}

impl Outputs {
    pub fn new(network: &Network, settings: &Settings, parts: Vec<u32>, tight: u32) -> Outputs {
        let (links, v) = (network.switch_links() as usize, settings.channels);
        let classes = parts.len() as u32 - 1;
        let mut port = vec![0; network.endpoints() as usize];
        for switch in 0..network.switches() {
            let mine = network.endpoints_of(switch).iter().enumerate();
            mine.for_each(|(at, endpoint)| port[*endpoint as usize] = at as u32);
        }
        let mut room = vec![settings.buffer_packets as u16; links * v as usize];
        room.resize(room.len() + network.endpoints() as usize * v as usize, settings.injection_packets as u16);
        let rooms = (0..links as u32 * classes).map(|at| {
            let class = (at % classes) as usize;
            (parts[class + 1] - parts[class]) * settings.buffer_packets
        });
        let class_of = (0..v).map(|channel| parts[1..].partition_point(|end| *end <= channel) as u8);
        let switches = network.switches() as usize;
        Outputs {
            busy: vec![0; switches],
            full: vec![0; switches * classes as usize],
            moving: vec![false; network.links() as usize],
            room,
            rooms: rooms.collect(),
            port,
            classes,
            channels: v,
            class_of: class_of.collect(),
            parts,
            tight,
        }
    }

    /// Bit of a switch link or of an ejection link at its tail.
    #[inline]
    pub fn bit(&self, network: &Network, switch: u32, link: u32) -> u64 {
        let links = network.out_links(switch);
        let at = match link.checked_sub(network.switch_links() + network.endpoints()) {
            None => link - links.start,
            Some(endpoint) => links.end - links.start + self.port[endpoint as usize],
        };
        1 << (at & 63)
    }

    /// Outputs of a switch that could take a packet of a class.
    #[inline]
    pub fn open(&self, switch: u32, class: u8) -> u64 {
        let busy = self.busy[switch as usize];
        match class {
            MIXED => !busy,
            class => !(busy | self.full[(switch * self.classes + u32::from(class)) as usize]),
        }
    }

    #[inline]
    pub fn set_moving(&mut self, link: u32, moving: bool) {
        self.moving[link as usize] = moving;
    }

    #[inline]
    pub fn moving(&self, link: u32) -> bool {
        self.moving[link as usize]
    }

    /// The link moves a packet. With many outputs `bit` may stand for several: it is set for the last.
    #[inline]
    pub fn start(&mut self, switch: u32, link: u32, bit: u64, narrow: bool) {
        self.moving[link as usize] = true;
        if narrow {
            self.busy[switch as usize] |= bit;
        }
    }

    #[inline]
    pub fn end(&mut self, switch: u32, link: u32, bit: u64) {
        self.moving[link as usize] = false;
        self.busy[switch as usize] &= !bit;
    }

    /// Slots of a class on a link.
    #[inline]
    pub fn slots(&self, link: u32, class: u8) -> std::ops::Range<u32> {
        let first = link * self.channels;
        first + self.parts[usize::from(class)]..first + self.parts[usize::from(class) + 1]
    }

    /// The slot with most room, the lowest of equals, with its room.
    #[inline]
    pub fn roomiest(&self, slots: std::ops::Range<u32>) -> (u32, u16) {
        let mut best = (slots.start, 0);
        for slot in slots {
            let room = self.room[slot as usize];
            if room > best.1 {
                best = (slot, room);
            }
        }
        best
    }

    #[inline]
    pub fn room(&self, slot: u32) -> u16 {
        self.room[slot as usize]
    }

    /// Takes a place in an injection link's FIFO.
    #[inline]
    pub fn take_injection(&mut self, slot: u32) {
        self.room[slot as usize] -= 1;
    }

    /// Takes a place in the FIFO of a switch link.
    #[inline]
    pub fn take(&mut self, switch: u32, link: u32, class: u8, slot: u32, bit: u64, narrow: bool) {
        self.room[slot as usize] -= 1;
        let rooms = &mut self.rooms[(link * self.classes + u32::from(class)) as usize];
        *rooms -= 1;
        if *rooms == 0 && narrow {
            self.full[(switch * self.classes + u32::from(class)) as usize] |= bit;
        }
    }

    /// Class of the channel that a buffer is of.
    #[inline]
    pub fn class(&self, slot: u32) -> u8 {
        self.class_of[(slot % self.channels) as usize]
    }

    /// A place is free again; true if somebody may have waited for it.
    #[inline]
    pub fn give(&mut self, network: &Network, slot: u32) -> bool {
        self.room[slot as usize] += 1;
        let link = slot / self.channels;
        let Some(&tail) = network.tails().get(link as usize) else { return self.room[slot as usize] == 1 };
        let class = u32::from(self.class(slot));
        let rooms = &mut self.rooms[(link * self.classes + class) as usize];
        *rooms += 1;
        if *rooms > 1 {
            return *rooms <= self.tight;
        }
        let bit = self.bit(network, tail, link);
        self.full[(tail * self.classes + class) as usize] &= !bit;
        true
    }
}

/// Per switch, the slots whose head waits for an output.
pub struct Waiting {
    heads: Vec<Head>,
    /// First place of each switch in `heads`.
    base: Vec<u32>,
    waits: Vec<u32>,
}

impl Waiting {
    pub fn new(network: &Network, channels: u32) -> Waiting {
        let mut base = vec![0u32; network.switches() as usize + 1];
        let switches = network.heads().iter().chain(network.endpoint_switch());
        switches.for_each(|s| base[*s as usize + 1] += channels);
        (1..base.len()).for_each(|s| base[s] += base[s - 1]);
        let all = base.last().copied().unwrap_or(0) as usize;
        Waiting { heads: vec![Head::default(); all], base, waits: vec![0; network.switches() as usize] }
    }

    #[inline]
    pub fn push(&mut self, switch: u32, head: Head) {
        let waits = &mut self.waits[switch as usize];
        self.heads[(self.base[switch as usize] + *waits) as usize] = head;
        *waits += 1;
    }

    #[inline]
    pub fn any(&self, switch: u32) -> bool {
        self.waits[switch as usize] > 0
    }

    #[inline]
    pub fn of(&self, switch: u32) -> &[Head] {
        let base = self.base[switch as usize] as usize;
        &self.heads[base..base + self.waits[switch as usize] as usize]
    }

    /// Keeps the heads whose number is not in `gone`, which is ascending. The last ones take the free places.
    #[inline]
    pub fn remove(&mut self, switch: u32, gone: &[u32]) {
        let base = self.base[switch as usize];
        for at in gone.iter().rev() {
            let waits = &mut self.waits[switch as usize];
            *waits -= 1;
            self.heads[(base + at) as usize] = self.heads[(base + *waits) as usize];
        }
    }
}
