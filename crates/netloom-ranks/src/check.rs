//! Checks of a simulation before it starts.

use netloom_model::background::impossible;
use netloom_model::fault::codes as model_codes;
use netloom_model::{Background, Fault, Faults, Outcome};

use crate::Job;
use crate::codes;
use crate::machine::RoutedMachine;

pub fn check(machine: &RoutedMachine<'_>, jobs: &[Job<'_>], background: &[Background]) -> Outcome<()> {
    let mut faults = Faults::none();
    let network = machine.network;
    let mut need = |place: String, value: f64, good: bool, expected: &str| {
        if !good {
            faults.push(Fault::new(&codes::BAD_AMOUNT, place, expected, value));
        }
    };
    let (least, above) = ("a finite number of at least 0", "a finite number above 0");
    let amount = |v: f64| v.is_finite() && v >= 0.0;
    need("switch_latency_s".into(), machine.wire.switch_latency_s, amount(machine.wire.switch_latency_s), least);
    let speed = machine.software.flops_per_s;
    need("flops_per_s".into(), speed, amount(speed) && speed > 0.0, above);
    for class in network.classes().iter().chain([network.endpoint_class()]) {
        let (bandwidth, latency) = (class.bandwidth_bytes_per_s, class.latency_s);
        let place = |what: &str| format!("{}: {what} of {} links", network.label(), class.name);
        need(place("bandwidth"), bandwidth, amount(bandwidth) && bandwidth > 0.0, above);
        need(place("latency"), latency, amount(latency), least);
    }
    for (at, job) in jobs.iter().enumerate() {
        need(format!("job {at}: start_s"), job.start_s, amount(job.start_s), least);
        need(format!("job {at}: repetitions"), f64::from(job.repetitions), job.repetitions > 0, "at least 1");
    }
    faults.0.extend(impossible(network, background).0);
    for (at, job) in jobs.iter().enumerate() {
        let (ranks, label) = (job.work.ranks(), job.work.label());
        if job.endpoint_of_rank.len() as u64 != u64::from(ranks) {
            let sentence = format!("the mapping has {} ranks, the workload {ranks}", job.endpoint_of_rank.len());
            faults
                .push(Fault::say(&codes::RANKS_DIFFER, label, sentence).hint("map as many ranks as the workload has"));
        }
        let lost = job.endpoint_of_rank.iter().enumerate().find(|(_, e)| **e >= network.endpoints());
        if let Some((rank, endpoint)) = lost {
            let expected = format!("an endpoint in 0..{} (exclusive)", network.endpoints());
            let place = format!("job {at}: mapping[{rank}]");
            faults.push(Fault::new(&model_codes::MAPPING_RANGE, place, expected, endpoint));
        }
        if let Err(lost) = network.require_in_service(job.endpoint_of_rank.iter().copied()) {
            faults.0.extend(lost.0);
        }
    }
    faults.or(())
}
