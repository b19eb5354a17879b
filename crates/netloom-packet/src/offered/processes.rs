//! The processes of sources that have a name.

use netloom_model::{Bound, Call, Kind, Outcome, Param, Registry, Row};

use super::source::Process;

type BuildProcess = fn(&Bound) -> Process;

/// How the sources of a curve make packets.
pub static SOURCES: Registry<BuildProcess> = Registry {
    kind: "sources",
    what: "source of packets",
    rows: &[
        Row {
            name: "bernoulli",
            aliases: &[],
            summary: "a packet in any cycle with the same probability, whatever came before",
            params: &[],
            example: "bernoulli",
            restrictions: "",
            source: "Dally and Towles 2004, section 24.2",
            build: |_| Process::Bernoulli,
        },
        Row {
            name: "on-off",
            aliases: &[],
            summary: "bursts of packets one after another at the full rate of the link, then silence; the lengths of both are \
                      geometric, and the silence is as long as the load asks for",
            params: &[Param::optional(
                "burst",
                Kind::Float { min: 1.0, max: 1e9 },
                "8.0",
                "mean number of packets of a burst",
            )],
            example: "on-off(burst=8)",
            restrictions: "",
            source: "Dally and Towles 2004, section 24.2: a process of two states",
            build: |bound| Process::OnOff { burst: bound.float("burst") },
        },
    ],
    common: &[],
};

impl Process {
    /// From a call such as `on-off(burst=8)`.
    ///
    /// # Errors
    /// `NL-A002` unknown name, `NL-A003`..`NL-A008` arguments.
    pub fn of(call: &Call) -> Outcome<Process> {
        let (row, bound) = SOURCES.bind(call)?;
        Ok((row.build)(&bound))
    }
}
