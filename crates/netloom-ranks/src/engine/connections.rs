//! Connections of GPU libraries: from rank to rank, one for each channel. A message takes one of a few buffers of the
//! receiver until it is received; those of a connection move one after the other.

use super::*;

/// Buffers of a connection. NCCL has eight steps, of which a chunk takes two or four.
const BUFFERS: u32 = 4;

#[derive(Default)]
struct Connection {
    /// A message is in its gap or moves.
    busy: bool,
    /// Messages that have a buffer, sent and not received.
    open: u32,
    /// Messages that have a buffer and wait for those before them, then those without a buffer.
    waiting: VecDeque<u32>,
    held: VecDeque<u32>,
}

#[derive(Default)]
pub(super) struct Connections {
    /// By sender, receiver and channel.
    numbers: HashMap<(u32, u32, u32), u32, BuildHasherDefault<Fold>>,
    all: Vec<Connection>,
}

impl Connections {
    pub fn clear(&mut self) {
        self.numbers.clear();
        self.all.clear();
    }

    pub fn number(&mut self, src: u32, dst: u32, channel: u32) -> u32 {
        let next = self.all.len() as u32;
        let number = *self.numbers.entry((src, dst, channel)).or_insert(next);
        if number == next {
            self.all.push(Connection::default());
        }
        number
    }
}

impl Connections {
    /// Adds how all stand; messages by their place in an order.
    pub fn put(&self, order: &HashMap<u32, u64>, words: &mut Vec<u64>) {
        for of in &self.all {
            words.extend([u64::from(of.busy), of.open.into(), of.waiting.len() as u64, of.held.len() as u64]);
            words.extend(of.waiting.iter().chain(&of.held).map(|id| order.get(id).copied().unwrap_or(u64::MAX)));
        }
    }
}

impl<T: Transport> Engine<'_, T> {
    /// True if the connection has a buffer for one more message, which then takes it; else the message is held.
    pub(super) fn take_buffer(&mut self, connection: u32, id: u32) -> bool {
        let of = &mut self.connections.all[connection as usize];
        let free = of.open < BUFFERS;
        match free {
            true => of.open += 1,
            false => of.held.push_back(id),
        }
        free
    }

    /// A message is received: its buffer goes to the next one that is held, whose sender goes on.
    pub(super) fn free_buffer(&mut self, connection: u32) -> Outcome<()> {
        let of = &mut self.connections.all[connection as usize];
        let Some(next) = of.held.pop_front() else {
            of.open -= 1;
            return Ok(());
        };
        self.rare.set(next, Rare { held: false, ..self.rare.of(next) });
        let message = &mut self.messages[next as usize];
        let (rank, request) = (message.sender, std::mem::replace(&mut message.send, NONE));
        let src = self.messages[next as usize].src;
        let turn = self.next_turn(src);
        self.begin_soon(src, turn, next);
        self.finish_request(rank, request, true, self.rare.of(next).record);
        Ok(())
    }

    /// Software has done its part of a message: it moves after those before it.
    pub(super) fn enter_connection(&mut self, id: u32) -> Outcome<()> {
        let connection = self.rare.of(id).connection;
        let of = &mut self.connections.all[connection as usize];
        if std::mem::replace(&mut of.busy, true) {
            of.waiting.push_back(id);
            return Ok(());
        }
        self.use_connection(id)
    }

    /// A message has arrived: the next one moves.
    pub(super) fn leave_connection(&mut self, connection: u32) -> Outcome<()> {
        let of = &mut self.connections.all[connection as usize];
        let next = of.waiting.pop_front();
        of.busy = next.is_some();
        next.map_or(Ok(()), |next| self.use_connection(next))
    }

    /// The gap of a message, then its transfer.
    fn use_connection(&mut self, id: u32) -> Outcome<()> {
        let (Message { reach, bytes, .. }, Rare { protocol, .. }) = (self.messages[id as usize], self.rare.of(id));
        let gap_s = self.software.message(protocol, reach).gap_s(bytes);
        let begun = self.now.after(gap_s);
        self.record_gap(id, gap_s, begun);
        if begun > self.now {
            self.due(begun, Due::Gap(id));
            return Ok(());
        }
        self.transfer_capped(id)
    }
}
