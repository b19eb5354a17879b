//! Several jobs on one machine: each gets its own endpoints.

use netloom_model::fault::codes::TOO_LARGE;
use netloom_model::{Call, Fault, Faults, Network, Outcome};

use crate::codes;
use crate::free::Free;
use crate::registry;

/// Most jobs of one list.
pub const MAX_JOBS: usize = 100_000;
/// Faults that are listed; the rest would repeat them.
const MAX_FAULTS: usize = 20;

/// The request of a job.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// These endpoints, in this order.
    List(Vec<u32>),
    /// As many endpoints as the placement finds free.
    Count { endpoints: i64, placement: Call },
}

/// A job by name.
#[derive(Clone, Debug)]
pub struct Job {
    pub name: String,
    pub wanted: Wanted,
}

/// Endpoints of every job, disjoint. Lists are assigned first, in any position; then each other job in turn is placed
/// on free endpoints. `available` are the endpoints that may be placed on: all if absent; a list may go beyond it.
///
/// O(jobs · (switches + endpoints)).
///
/// # Errors
/// `NL-M015` a bad list of available endpoints, `NL-M001` an endpoint that does not exist, `NL-M018` an endpoint of two
/// jobs, `NL-M017` a job that does not fit, and the faults of its placement, with the job's name in front; `NL-A009` too
/// many jobs. A job with a fault takes nothing.
pub fn place_jobs(network: &Network, jobs: &[Job], available: Option<&[i64]>) -> Outcome<Vec<Vec<u32>>> {
    if jobs.len() > MAX_JOBS {
        let sentence = format!("{} jobs are more than {MAX_JOBS}", jobs.len());
        return Err(Fault::say(&TOO_LARGE, "jobs", sentence).into());
    }
    let mut free = match available {
        Some(list) => Free::only(network, list, "available")?,
        None => Free::all(network),
    };
    let mut faults = lists(network, jobs, &mut free);
    let mut placed = Vec::with_capacity(jobs.len());
    for job in jobs {
        if faults.0.len() >= MAX_FAULTS {
            break;
        }
        match place(network, job, &mut free) {
            Ok(endpoints) => placed.push(endpoints),
            Err(more) => faults.0.extend(more.0),
        }
    }
    faults.or(placed)
}

/// Takes the endpoints of all lists. O(endpoints).
fn lists(network: &Network, jobs: &[Job], free: &mut Free) -> Faults {
    let mut faults = Faults::none();
    let mut owner = vec![u32::MAX; network.endpoints() as usize];
    for (number, job) in jobs.iter().enumerate() {
        let Wanted::List(list) = &job.wanted else { continue };
        match claim(network, jobs, &mut owner, number as u32) {
            Ok(()) => free.take(list),
            Err(fault) => faults.push(fault),
        }
        if faults.0.len() >= MAX_FAULTS {
            break;
        }
    }
    faults
}

/// Writes a job's number on its endpoints, or returns the one that it cannot have.
fn claim(network: &Network, jobs: &[Job], owner: &mut [u32], number: u32) -> Result<(), Fault> {
    let job = &jobs[number as usize];
    let Wanted::List(list) = &job.wanted else { return Ok(()) };
    for &endpoint in list {
        let Some(slot) = owner.get_mut(endpoint as usize) else {
            let expected = format!("endpoints in 0..{} (exclusive)", network.endpoints());
            let row = &netloom_model::fault::codes::MAPPING_RANGE;
            return Err(Fault::new(row, place_of(job), expected, endpoint));
        };
        if *slot == number {
            let sentence = format!("endpoint {} is listed twice", named(network, endpoint));
            return Err(Fault::say(&codes::JOBS_OVERLAP, place_of(job), sentence));
        }
        if let Some(other) = jobs.get(*slot as usize) {
            let sentence =
                format!("endpoint {} belongs to job \"{}\" too", named(network, endpoint), short(&other.name));
            return Err(
                Fault::say(&codes::JOBS_OVERLAP, place_of(job), sentence).hint("give each job different endpoints")
            );
        }
        *slot = number;
    }
    Ok(())
}

fn place(network: &Network, job: &Job, free: &mut Free) -> Outcome<Vec<u32>> {
    let (wanted, call) = match &job.wanted {
        Wanted::List(list) => return Ok(list.clone()),
        Wanted::Count { endpoints, placement } => (*endpoints, placement),
    };
    if wanted > i64::from(free.count()) {
        let sentence = format!("{wanted} endpoints are wanted, {} are free", free.count());
        return Err(Fault::say(&codes::JOB_TOO_LARGE, place_of(job), sentence)
            .hint("ask for fewer, or take jobs away")
            .into());
    }
    let endpoints = registry::place_on(network, wanted, free, call).map_err(|mut faults| {
        for fault in &mut faults.0 {
            fault.place = format!("{}: {}", place_of(job), fault.place);
        }
        faults
    })?;
    free.take(&endpoints);
    Ok(endpoints)
}

fn place_of(job: &Job) -> String {
    format!("job \"{}\"", short(&job.name))
}

/// Names come from files.
fn short(name: &str) -> String {
    name.chars().take(60).collect()
}

/// Number of an endpoint, with its name if it has one.
fn named(network: &Network, endpoint: u32) -> String {
    let (number, name) = (endpoint.to_string(), network.endpoint_name(endpoint));
    if name == number { number } else { format!("{number} ({})", short(&name)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{circulant, dragonfly};

    fn count(name: &str, endpoints: i64, placement: &str) -> Job {
        Job { name: name.into(), wanted: Wanted::Count { endpoints, placement: Call::parse(placement).unwrap() } }
    }
    fn list(name: &str, endpoints: &[u32]) -> Job {
        Job { name: name.into(), wanted: Wanted::List(endpoints.to_vec()) }
    }

    #[test]
    fn jobs_share_nothing_and_lists_come_first() {
        let net = dragonfly(5, 2, 3, 4);
        let jobs = [
            count("a", 50, "random-groups(seed=3)"),
            list("b", &[119, 0, 7]),
            count("c", 33, "random-switches(seed=3)"),
            count("d", 34, "round-robin"),
        ];
        let placed = place_jobs(&net, &jobs, None).unwrap();
        assert_eq!(placed, place_jobs(&net, &jobs, None).unwrap());
        assert_eq!(placed[1], [119, 0, 7]);
        let mut all: Vec<u32> = placed.concat();
        all.sort_unstable();
        assert_eq!(all, (0..120).collect::<Vec<u32>>());
        // Whole groups first: groups 0 and 4 lost endpoints to the list, so two of 1, 2, 3 were taken whole.
        let whole = placed[0].chunks(24).take(2).map(|c| c.iter().map(|e| e / 24).collect::<Vec<_>>());
        for groups in whole {
            assert!(groups.iter().all(|g| *g == groups[0] && (1..4).contains(g)), "{groups:?}");
        }
    }

    #[test]
    fn only_available_endpoints_are_placed_on() {
        let net = circulant(16, 1);
        let jobs = [count("a", 3, "linear"), count("b", 2, "linear(available=[2,3,9,12])")];
        assert_eq!(place_jobs(&net, &jobs, Some(&[1, 2, 3, 5, 9, 11])).unwrap_err().0[0].code, "NL-M003");
        assert_eq!(place_jobs(&net, &jobs, Some(&[1, 2, 4, 5, 9, 12])).unwrap(), [vec![1, 2, 4], vec![9, 12]]);
        assert_eq!(place_jobs(&net, &jobs, Some(&[1, 16])).unwrap_err().0[0].code, "NL-M015");
    }

    #[test]
    fn a_list_outside_what_is_available_takes_nothing_from_it() {
        let net = circulant(16, 1);
        let jobs = [list("a", &[4, 5, 6, 7]), count("b", 2, "random(seed=1)")];
        let placed = place_jobs(&net, &jobs, Some(&[0, 1])).unwrap();
        assert!(placed[1] == [0, 1] || placed[1] == [1, 0], "{placed:?}");
        assert_eq!(place_jobs(&net, &jobs, Some(&[0])).unwrap_err().0[0].code, "NL-M017");
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let net = circulant(16, 1);
        let say = |jobs: &[Job]| place_jobs(&net, jobs, None).unwrap_err().to_string();
        assert!(
            say(&[count("a", 10, "random"), count("wrf", 7, "random")])
                .contains("job \"wrf\": 7 endpoints are wanted, 6 are free")
        );
        assert!(
            say(&[list("x", &[3, 4, 5]), list("y", &[7, 5, 4])])
                .contains("job \"y\": endpoint 5 belongs to job \"x\" too")
        );
        assert!(say(&[list("x", &[3, 4, 3])]).contains("endpoint 3 is listed twice"));
        assert!(say(&[list("x", &[16])]).contains("must be endpoints in 0..16 (exclusive), got 16"));
        assert!(say(&[count("x", 0, "random")]).contains("job \"x\": ranks must be an integer >= 1, got 0"));
        assert!(say(&[count("x", 4, "random-groups")]).contains("NL-M016"));
        assert!(say(&[count("x", 4, "rundom")]).contains("did you mean \"random\"?"));
        // All at once.
        assert_eq!(
            place_jobs(&net, &[list("x", &[16]), count("y", 17, "random"), count("z", 1, "no")], None)
                .unwrap_err()
                .0
                .len(),
            3
        );
    }
}
