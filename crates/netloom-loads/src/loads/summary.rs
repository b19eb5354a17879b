//! Many loads in a few numbers: the six of the box plots of Jain 2016, and the interference between jobs.

use netloom_model::Network;

use super::Unit;

/// Jain 2016 §3.2.4: minimum, quartiles, median, mean and maximum; quantiles interpolate linearly, as NumPy's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Six {
    pub links: u64,
    /// Links with a load above zero.
    pub used: u64,
    pub total: f64,
    pub minimum: f64,
    pub first_quartile: f64,
    pub median: f64,
    pub mean: f64,
    pub third_quartile: f64,
    pub maximum: f64,
}

/// O(loads log loads); `None` without loads.
pub fn six(mut loads: Vec<u64>, unit: Unit) -> Option<Six> {
    loads.sort_unstable();
    let (minimum, maximum) = (unit.bytes(*loads.first()?), unit.bytes(*loads.last()?));
    let total = unit.bytes(loads.iter().map(|&l| u128::from(l)).sum::<u128>());
    let quantile = |q: f64| {
        let at = q * (loads.len() - 1) as f64;
        let (low, high) = (unit.bytes(loads[at.floor() as usize]), unit.bytes(loads[at.ceil() as usize]));
        low + (high - low) * at.fract()
    };
    Some(Six {
        links: loads.len() as u64,
        used: loads.iter().filter(|l| **l > 0).count() as u64,
        total,
        minimum,
        first_quartile: quantile(0.25),
        median: quantile(0.5),
        mean: total / loads.len() as f64,
        third_quartile: quantile(0.75),
        maximum,
    })
}

/// The longest and the mean time that loads take: each over its link's bandwidth, bytes/s. 0 without loads. O(loads).
pub fn times(loads: &[u64], bandwidth: &dyn Fn(usize) -> f64, unit: Unit) -> (f64, f64) {
    let time = |(link, &load): (usize, &u64)| unit.bytes(load) / bandwidth(link);
    let all = || loads.iter().enumerate().map(time);
    (all().fold(0.0, f64::max), all().sum::<f64>() / loads.len().max(1) as f64)
}

/// Interference on the links of one job (the question is from Jain 2016 §3.2.5; the measures are ours).
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbours {
    /// Mean over the job's link-bytes: bytes of each other job on the same link; 0 for itself.
    pub met: Vec<f64>,
    /// Largest time on one of its links with all jobs, over that with the job alone: at least 1.
    pub slowdown: f64,
    /// The same together with each other job alone; 1 for itself.
    pub slowdown_by: Vec<f64>,
}

/// Per job, the load of the others on its links. `capacity` is the bandwidth of each link in any unit.
/// O(jobs² × links).
pub fn neighbours(by_job: &[Vec<u64>], capacity: &[f64], unit: Unit) -> Vec<Neighbours> {
    let time = |load: u64, link: usize| unit.bytes(load) / capacity[link];
    let worst = |own: &[u64], with: &dyn Fn(usize) -> u64| {
        own.iter().enumerate().filter(|(_, l)| **l > 0).map(|(i, l)| time(l + with(i), i)).fold(0.0, f64::max)
    };
    let ratio = |a: f64, b: f64| if b > 0.0 { a / b } else { 1.0 };
    by_job
        .iter()
        .enumerate()
        .map(|(me, own)| {
            let alone = worst(own, &|_| 0);
            let bytes: f64 = own.iter().map(|&l| unit.bytes(l)).sum();
            let met = by_job.iter().enumerate().map(|(other, loads)| {
                let product: f64 = own.iter().zip(loads).map(|(&a, &b)| unit.bytes(a) * unit.bytes(b)).sum();
                if me == other || bytes == 0.0 { 0.0 } else { product / bytes }
            });
            let beside = by_job
                .iter()
                .enumerate()
                .map(|(other, loads)| if me == other { 1.0 } else { ratio(worst(own, &|i| loads[i]), alone) });
            let others = |i: usize| by_job.iter().enumerate().filter(|(o, _)| *o != me).map(|(_, l)| l[i]).sum();
            Neighbours {
                met: met.collect(),
                slowdown_by: beside.collect(),
                slowdown: ratio(worst(own, &others), alone),
            }
        })
        .collect()
}

/// Sum over jobs. O(jobs × links).
pub fn total(by_job: &[Vec<u64>]) -> Vec<u64> {
    let mut total = by_job.first().cloned().unwrap_or_default();
    for loads in by_job.iter().skip(1) {
        total.iter_mut().zip(loads).for_each(|(total, load)| *total += load);
    }
    total
}

/// The `count` links that take longest with the load of all jobs, longest first; by number where no more than rounding tells
/// them apart. O(jobs × links).
pub fn hottest(by_job: &[Vec<u64>], capacity: &[f64], count: usize, unit: Unit) -> Vec<u32> {
    let total = total(by_job);
    let mut order: Vec<u32> = (0..total.len() as u32).filter(|&l| total[l as usize] > 0).collect();
    // To 30 bits, a billionth: parts of split messages are rounded.
    let rounded = |time: f64| f64::from_bits((time.to_bits() + (1 << 21)) & !((1 << 22) - 1));
    let time = |l: &u32| rounded(unit.bytes(total[*l as usize]) / capacity[*l as usize]);
    let by_time = |a: &u32, b: &u32| time(b).total_cmp(&time(a)).then(a.cmp(b));
    if count < order.len() {
        order.select_nth_unstable_by(count, by_time);
        order.truncate(count);
    }
    order.sort_by(by_time);
    order
}

/// Bytes on the links from each group of switches to each other, row-major, and within each on the diagonal; `None` if the
/// network has no groups, or more than 4,096. O(links).
pub fn groups(network: &Network, loads: &[u64], unit: Unit) -> Option<(usize, Vec<f64>)> {
    let groups = network.structure().groups.as_ref()?;
    let count = *groups.iter().max()? as usize + 1;
    if count > 4096 {
        return None;
    }
    let mut sums = vec![0u128; count * count];
    for (l, &load) in loads.iter().enumerate() {
        let of = |switch: u32| groups[switch as usize] as usize;
        sums[of(network.tails()[l]) * count + of(network.heads()[l])] += u128::from(load);
    }
    Some((count, sums.into_iter().map(|s| unit.bytes(s)).collect()))
}
