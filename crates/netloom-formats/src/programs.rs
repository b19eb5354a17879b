//! Programs of ranks as files: recorded traces, schedules of tasks.

use netloom_model::{Programs, Registry};

use crate::recorded::{Recorded, Replay};
use crate::row::{Format, Held};
use crate::{chakra, dumpi, goal, smpi_trace};

/// Formats of programs.
pub static FORMATS: Registry<Format<Programs>> = Registry {
    kind: "formats",
    what: "format",
    rows: &[goal::TEXT, goal::BINARY, chakra::ROW, dumpi::BINARY, dumpi::ASCII, smpi_trace::ROW],
    common: &[],
};

impl Held for Programs {
    type Given<'g> = Replay<'g>;
    type Onto<'g> = ();
    type Found = Recorded;
    /// Name and bytes of every file, the index first.
    type Written = Vec<(String, Vec<u8>)>;
    const WHAT: &'static str = "programs";

    fn formats() -> &'static Registry<Format<Programs>> {
        &FORMATS
    }
}
