//! Jobs checked against the network, and their messages counted.

use netloom_model::{Fault, Faults, Network, Outcome, Progress};

use super::everyone::Everyone;
use super::lanes::run;
use super::ranks::Places;
use super::solve::Keep;
use super::{Counts, Job, Model, Settings, Unit};
use crate::codes;

/// Finest units of a byte that requests are counted in, as a power of two.
const REQUESTS: u32 = 20;
/// The same for loads. With 2^-40 bytes a million parts on one link, each rounded, miss their sum by less than 2^-20
/// bytes.
const LOADS: u32 = 40;

pub fn model<'a>(
    network: &'a Network,
    jobs: Vec<Job<'a>>,
    settings: Settings,
    progress: &Progress,
) -> Outcome<Model<'a>> {
    let mut faults = Faults::none();
    faults.0.extend(settings.check().err().into_iter().flat_map(|faults| faults.0));
    for job in &jobs {
        faults.0.extend(job_fault(network, job));
    }
    faults.or(())?;
    let middles: Vec<u32> =
        (0..network.switches()).filter(|&s| !network.endpoints_of(s).is_empty() && network.in_service(s)).collect();
    let places: Vec<Places> = jobs.iter().map(|job| Places::new(network, job.endpoint_of_rank, job.routing)).collect();
    let summed = |(job, places): (&Job<'_>, &Places)| Everyone::of(job.sends, job.endpoint_of_rank, places, &settings);
    let everyone = jobs.iter().zip(&places).map(summed).collect();
    let (counts, unit, keep) = (Vec::new(), Unit { shift: 0 }, Keep::default());
    let mut model = Model { network, jobs, settings, places, everyone, counts, middles, shift: 0, unit, keep };
    progress.set_total(model.work());
    for job in 0..model.jobs.len() {
        let counts = count(&model, job, progress)?;
        model.counts.push(counts);
    }
    let bytes: u128 = model.counts.iter().map(|c| u128::from(c.bytes)).sum();
    // Every link's sum stays below 2^63 for any choice of paths.
    let bits = 128 - bytes.leading_zeros();
    if bits > 62 {
        let sentence = format!("{bytes} bytes in all exceed 2^62");
        return Err(Fault::say(&codes::LOADS_LARGE, "loads", sentence).hint("use smaller messages").into());
    }
    model.shift = (62 - bits).min(REQUESTS);
    model.unit = Unit { shift: (62 - bits).min(LOADS) };
    Ok(model)
}

fn job_fault(network: &Network, job: &Job<'_>) -> Option<Fault> {
    let (ranks, places) = (job.sends.ranks(), job.endpoint_of_rank.len());
    if places as u64 != u64::from(ranks) {
        let sentence = format!("job {} has {ranks} ranks, and places for {places}", job.name);
        return Some(Fault::say(&codes::RANKS_DIFFER, job.sends.label(), sentence).hint("place as many ranks"));
    }
    let endpoints = network.endpoints();
    let wrong = job.endpoint_of_rank.iter().enumerate().find(|(_, e)| **e >= endpoints);
    if let Some((rank, endpoint)) = wrong {
        let place = format!("rank {rank} of job {}", job.name);
        return Some(Fault::new(&codes::LOADS_PLACE, place, format!("on an endpoint below {endpoints}"), endpoint));
    }
    let used = job.endpoint_of_rank.iter().copied();
    network.require_in_service(used).err().and_then(|faults| faults.0.into_iter().next())
}

/// One pass over all messages, or their sums.
fn count(model: &Model<'_>, job: usize, progress: &Progress) -> Outcome<Counts> {
    let endpoints = model.network.endpoints() as usize;
    if let Some(everyone) = &model.everyone[job] {
        progress.add(model.places[job].switches.len() as u64);
        return Ok(everyone.count(model.jobs[job].endpoint_of_rank, &model.places[job], endpoints));
    }
    let fresh = || Counts { injected: vec![0; endpoints], ejected: vec![0; endpoints], ..Counts::default() };
    let mut lanes: Vec<Counts> = (0..rayon::current_num_threads()).map(|_| fresh()).collect();
    let Job { sends, endpoint_of_rank, name, .. } = model.jobs[job];
    let places = &model.places[job];
    let (ranks, settings) = (sends.ranks(), &model.settings);
    run(&mut lanes, model.units(job), progress, |sum, unit| {
        let mut fault = None;
        for &source in model.sources(job, unit) {
            for &rank in places.on(source) {
                let from = endpoint_of_rank[rank as usize];
                sends.for_each_summed(rank, &mut |to, messages, bytes| {
                    if to >= ranks {
                        fault.get_or_insert((rank, to));
                        return;
                    }
                    let endpoint = endpoint_of_rank[to as usize];
                    if settings.inside(from, endpoint) {
                        return;
                    }
                    sum.messages = sum.messages.saturating_add(messages);
                    sum.bytes = sum.bytes.saturating_add(bytes);
                    let at = &mut sum.injected[from as usize];
                    *at = at.saturating_add(bytes);
                    let at = &mut sum.ejected[endpoint as usize];
                    *at = at.saturating_add(bytes);
                    if places.switch_of_rank[to as usize] != source {
                        sum.switch_messages = sum.switch_messages.saturating_add(messages);
                        sum.switch_bytes = sum.switch_bytes.saturating_add(bytes);
                    }
                });
            }
        }
        match fault {
            None => Ok(model.sources(job, unit).len()),
            Some((rank, to)) => {
                let place = format!("rank {rank} of job {name}");
                let expected = format!("sending to a rank below {ranks}");
                Err(Fault::new(&codes::LOADS_PLACE, place, expected, to).into())
            }
        }
    })?;
    let mut total = fresh();
    for lane in lanes {
        total.messages = total.messages.saturating_add(lane.messages);
        total.bytes = total.bytes.saturating_add(lane.bytes);
        total.switch_messages = total.switch_messages.saturating_add(lane.switch_messages);
        total.switch_bytes = total.switch_bytes.saturating_add(lane.switch_bytes);
        let add = |to: &mut [u64], from: Vec<u64>| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = to.saturating_add(from));
        };
        add(&mut total.injected, lane.injected);
        add(&mut total.ejected, lane.ejected);
    }
    Ok(total)
}
