//! What the ports of a switch are asked for in one step.

/// Who asks for what in one step, and memory for it.
#[derive(Default)]
pub struct Bids {
    /// Per output channel of the network: the best bid of a head, as (distance from the pointer, slot).
    pub heads: Vec<(u32, u32)>,
    pub asked: Vec<u32>,
    /// Per output port the same for flits.
    pub flits: Vec<(u32, u32)>,
    pub wanted: Vec<u32>,
    /// Inputs that hold the switch: port, and whether a credit is left.
    pub holds: Vec<(u32, bool)>,
}

pub const NOBODY: (u32, u32) = (u32::MAX, 0);

impl Bids {
    pub fn new(switch_ports: u32, channels: u32) -> Bids {
        Bids {
            heads: vec![NOBODY; (switch_ports * channels) as usize],
            flits: vec![NOBODY; switch_ports as usize],
            ..Bids::default()
        }
    }
}
