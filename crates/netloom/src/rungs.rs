//! The rungs of fidelity, and the one entrance to all of them.

use netloom_flow::TIME;
use netloom_loads::{CONTENTIONS, HOPS, LOADS};
use netloom_model::fault::codes;
use netloom_model::{Answer, Call, Evaluates, Fault, Outcome, Progress, Registry, Scenario};
use netloom_packet::{PACKET, ProcessGroup, THROUGHPUT, answer_together};

#[cfg(test)]
mod direct_tests;
#[cfg(test)]
mod node_oracle;
#[cfg(test)]
mod node_tests;
#[cfg(test)]
mod tests;

/// Every evaluator, in the order of the docs: from distances alone to packets. A new one is a row here.
pub static RUNGS: Registry<Evaluates> = Registry {
    kind: "evaluators",
    what: "evaluator",
    rows: &[HOPS, CONTENTIONS, LOADS, TIME, PACKET, THROUGHPUT],
    common: &[],
};

/// The rung that several processes can compute together.
const TOGETHER: &str = "packet";

/// The answer of a rung to a scenario; the call has its options, as in `time(trace=true)`.
///
/// # Errors
/// `NL-A002` for an unknown name, those of its options, and those of the evaluation.
pub fn ask(scenario: &Scenario, rung: &Call, progress: &Progress) -> Outcome<Answer> {
    let (row, options) = RUNGS.bind(rung)?;
    row.evaluate(scenario, &options, progress)
}

/// The answer of a rung, computed by this process and others together, each of which calls it with the same inputs.
///
/// # Errors
/// As [`ask`]; `NL-E030` for a rung that runs in one process.
pub fn ask_together(scenario: &Scenario, rung: &Call, progress: &Progress, group: ProcessGroup) -> Outcome<Answer> {
    let (row, options) = RUNGS.bind(rung)?;
    if row.name != TOGETHER {
        let sentence = format!("runs in one process; only {TOGETHER} runs in several together");
        return Err(Fault::say(&codes::UNSUPPORTED, row.name, sentence).into());
    }
    answer_together(scenario, &options, progress, group)
}
