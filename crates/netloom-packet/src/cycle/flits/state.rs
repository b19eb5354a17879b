//! Input channels, ports and round-robin pointers in flat arrays. Slot = port · channels + channel.

/// No channel holds the switch.
pub const NONE: u8 = u8::MAX;

/// An input channel: a FIFO of flits, of which only the packets and two counts are kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct InputChannel {
    /// Output port of the front packet.
    pub out: u32,
    /// Where the search for an output channel begins: a port and a channel of it.
    pub from: u32,
    pub from_channel: u8,
    /// Channel at the output, once allocated.
    pub out_channel: u8,
    /// Channel class at the output.
    pub class: u8,
    /// True if the head of the front packet has not left yet.
    pub head: bool,
    /// Flits in the buffer.
    pub flits: u16,
    /// Flits of the front packet that have not left yet.
    pub left: u16,
    /// Ring of packets whose head has arrived and whose tail has not left.
    pub first: u16,
    pub packets: u16,
}

/// A port, both directions.
#[derive(Clone, Copy, Debug)]
pub struct Port {
    /// Input channels whose front is a head without an output channel.
    pub heads: u64,
    /// Input channels with an output channel and a flit for the switch.
    pub ready: u64,
    /// Output channels that no packet has.
    pub free: u64,
    /// First output that the input would take, first input that the output would take, first channel of equals.
    pub next_output: u32,
    pub next_input: u32,
    pub next_channel: u8,
    /// Input channel that keeps the switch between two flits of its packet.
    pub holder: u8,
    /// True if the output is kept so.
    pub held: bool,
}

/// All of them.
pub struct State {
    pub channels: u32,
    pub inputs: Vec<InputChannel>,
    pub ports: Vec<Port>,
    /// Flits that the buffer behind an output channel has room for.
    pub credits: Vec<u16>,
    /// First (input, channel) that an output channel would take.
    pub next_head: Vec<u32>,
    rings: Vec<u32>,
    /// Packets of a ring less one: a power of two less one.
    mask: u16,
}

impl State {
    /// `ports` of switches, then those of endpoints, which only send.
    pub fn new(switch_ports: u32, ports: u32, channels: u32, buffer_flits: u16) -> State {
        let ring = buffer_flits.next_power_of_two();
        let slots = (switch_ports * channels) as usize;
        let all = if channels == 64 { u64::MAX } else { (1 << channels) - 1 };
        let port = Port {
            heads: 0,
            ready: 0,
            free: all,
            next_output: 0,
            next_input: 0,
            next_channel: 0,
            holder: NONE,
            held: false,
        };
        State {
            channels,
            inputs: vec![InputChannel::default(); slots],
            ports: vec![port; ports as usize],
            credits: vec![buffer_flits; (ports * channels) as usize],
            next_head: vec![0; slots],
            rings: vec![0; slots * usize::from(ring)],
            mask: ring - 1,
        }
    }

    #[inline]
    fn ring(&self, slot: u32, at: u16) -> usize {
        slot as usize * (usize::from(self.mask) + 1) + usize::from(at & self.mask)
    }

    #[inline]
    pub fn front(&self, slot: u32) -> u32 {
        self.rings[self.ring(slot, self.inputs[slot as usize].first)]
    }

    /// The number of packets after it.
    #[inline]
    pub fn push(&mut self, slot: u32, packet: u32) -> u16 {
        let input = &mut self.inputs[slot as usize];
        let at = input.first.wrapping_add(input.packets);
        input.packets += 1;
        let packets = input.packets;
        let place = self.ring(slot, at);
        self.rings[place] = packet;
        packets
    }

    /// True if another packet is at the front now.
    #[inline]
    pub fn pop(&mut self, slot: u32) -> bool {
        let input = &mut self.inputs[slot as usize];
        input.first = input.first.wrapping_add(1);
        input.packets -= 1;
        input.packets > 0
    }
}
