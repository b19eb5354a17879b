//! What times depend on, apart from network, routing and jobs: the wire and the software.

mod sharing;
mod software;
mod wire;

pub use sharing::{SMPI_CROSS_TRAFFIC, SMPI_TCP_WINDOW_BYTES, SMPI_WEIGHT_S_BYTES, Sharing, window_cap};
pub use software::{Overhead, SOFTWARE, Software};
pub use wire::{Duplex, Factor, WIRE, Wire};

use crate::call::Call;
use crate::fault::Outcome;
use crate::param::{Bound, Param};

/// A background flow: no job waits for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Background {
    pub src: u32,
    pub dst: u32,
    /// Infinite for a flow that never ends.
    pub bytes: f64,
    pub start_s: f64,
    /// Largest rate in bytes per second; may be infinite.
    pub cap_bytes_per_s: f64,
}

/// Everything that times depend on, apart from network, routing and jobs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machine {
    pub wire: Wire,
    pub software: Software,
}

impl Machine {
    /// The parameters of [`WIRE`], then those of [`SOFTWARE`].
    pub fn params() -> impl Iterator<Item = &'static Param> {
        WIRE.iter().chain(SOFTWARE)
    }

    /// From named values of both tables, those of the wire and those of software together; the name of the call is
    /// the place of its faults.
    ///
    /// # Errors
    /// `NL-A003` for an unknown name, `NL-A007`, `NL-A008` for a value out of range.
    pub fn bind(call: &Call) -> Outcome<(Bound, Machine)> {
        let table: Vec<Param> = Machine::params().copied().collect();
        let bound = Bound::bind(&table, call)?;
        let wire = Wire::new(&bound);
        let software = Software::new(&bound, wire.envelope_bytes);
        Ok((bound, Machine { wire, software }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_correct_nothing() {
        let Machine { wire, software } = Machine::default();
        assert_eq!(wire.loopback_bandwidth_bytes_per_s, f64::INFINITY);
        assert_eq!((wire.moved_bytes(1000), wire.latency_factor(1000), wire.switch_latency_s), (1000.0, 1.0, 0.0));
        assert_eq!((software.send.seconds(1000), software.sender_returns_below_bytes), (0.0, 65536));
        assert_eq!(Machine::bind(&Call::bare("machine")).unwrap().1, Machine::default());
    }

    #[test]
    fn rows_count_above_their_threshold() {
        let call =
            Call::parse("m(latency_factors=[[0,2.0],[256,3]],envelope_bytes=16,send_overhead=[[100,1e-6,1e-9]])");
        let (_, Machine { wire, software }) = Machine::bind(&call.unwrap()).unwrap();
        let factors: Vec<f64> = [0, 1, 256, 257].map(|size| wire.latency_factor(size)).into();
        assert_eq!(factors, [1.0, 2.0, 2.0, 3.0]);
        assert_eq!((software.send.seconds(84), software.send.seconds(85)), (0.0, 1e-6 + 1e-9 * 101.0));
    }
}
