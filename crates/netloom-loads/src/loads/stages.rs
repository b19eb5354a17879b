//! Jobs in which all send to all over a routing that goes stage by stage, such as dimension by dimension: in each stage,
//! packets to all destinations of one coordinate go on together.

use std::sync::atomic::{AtomicBool, Ordering};

use netloom_model::{Outcome, Progress};

use super::Model;
use super::lanes::{Lane, run};
use super::parts::part;
use super::trees::UNITS;

/// Switches that go on alike in one stage.
struct Together<'a> {
    /// Those with the same coordinates of all stages up to this one.
    members: &'a [u32],
    /// Those with the same coordinates of the stages before: where packets to `members` may be.
    from: &'a [u32],
}

impl Model<'_> {
    /// Adds the loads of a job to the sums of the lanes. False, and nothing is added, where the routing has no stages, or a
    /// route does not exist, or ranks send different things. O(switches × coordinates of each stage).
    ///
    /// # Errors
    /// `NL-E004` if stopped.
    pub(super) fn distribute_stages(&self, job: usize, lanes: &mut [Lane], progress: &Progress) -> Outcome<bool> {
        let (network, places) = (self.network, &self.places[job]);
        let sums = self.everyone[job].as_ref().and_then(|everyone| everyone.bytes_by_switch(network.switches()));
        let (Some(stages), Some(bytes)) = (self.jobs[job].routing.stages(), sums) else {
            return Ok(false);
        };
        let mut there: Vec<f64> = (0..network.switches()).map(|switch| places.on(switch).len() as f64).collect();
        // Sorted by the coordinates of the stages, first stage first.
        let mut order: Vec<u32> = (0..network.switches()).collect();
        let key = |switch: u32| stages.iter().map(move |stage| stage[switch as usize]);
        order.sort_by(|a, b| key(*a).cmp(key(*b)));
        for (stage, coordinates) in stages.iter().enumerate() {
            let same = |a: u32, b: u32, upto: usize| key(a).take(upto).eq(key(b).take(upto));
            let classes: Vec<Together<'_>> = order
                .chunk_by(|a, b| same(*a, *b, stage))
                .flat_map(|from| {
                    from.chunk_by(|a, b| same(*a, *b, stage + 1)).map(move |members| Together { members, from })
                })
                .filter(|class| class.members.iter().any(|switch| bytes[*switch as usize] > 0))
                .collect();
            let Some(arrived) = self.stage(job, (coordinates, &classes), (&bytes, &there), lanes, progress)? else {
                lanes.iter_mut().for_each(|lane| lane.sums.fill(0));
                return Ok(false);
            };
            arrived.into_iter().for_each(|(switch, ranks)| there[switch as usize] += ranks);
        }
        progress.add(places.switches.len() as u64);
        Ok(true)
    }

    /// One stage: `there` has the ranks whose packets are at each switch when it begins. Gives how many arrive where they had
    /// not been; `None` if a route does not exist.
    fn stage(
        &self,
        job: usize,
        (coordinates, classes): (&[u32], &[Together<'_>]),
        (bytes, there): (&[u64], &[f64]),
        lanes: &mut [Lane],
        progress: &Progress,
    ) -> Outcome<Option<Vec<(u32, f64)>>> {
        let (network, routing) = (self.network, self.jobs[job].routing);
        let how = (routing.split(), routing.limit());
        let one_path = routing.is_deterministic();
        let units = classes.len().min(UNITS);
        let broken = AtomicBool::new(false);
        run(lanes, units, progress, |lane, unit| {
            let Lane { tree, sums, shared, arrived, .. } = lane;
            shared.resize(if one_path { 0 } else { sums.len() }, 0.0);
            for class in &classes[part(classes.len(), unit, units)] {
                let first = class.members[0];
                let is_done = |switch: u32| coordinates[switch as usize] == coordinates[first as usize];
                let sources: Vec<u32> = class
                    .from
                    .iter()
                    .copied()
                    .filter(|switch| there[*switch as usize] > 0.0 && !is_done(*switch))
                    .collect();
                let ranks = sources.iter().map(|switch| there[*switch as usize]);
                let sent = class.members.iter().map(|switch| bytes[*switch as usize]).sum();
                let (whole, part) = (self.parts(sent), self.parts(sent) as f64);
                // Numbers of ranks, halved at most once a stage, are exact.
                let whole = sources.iter().all(|source| routing.admit(*source).is_ok())
                    && tree.grow(network, &*routing.towards(first), sources.iter().copied(), is_done)
                    && tree.share(ranks, how, |link, ranks| match one_path {
                        true => sums[link as usize] += ranks as u64 * whole,
                        false => shared[link as usize] += ranks * part,
                    });
                if !whole {
                    broken.store(true, Ordering::Relaxed);
                }
                if broken.load(Ordering::Relaxed) {
                    break;
                }
                arrived.extend(tree.arrived());
            }
            for (sum, units) in sums.iter_mut().zip(shared) {
                *sum += std::mem::take(units).round() as u64;
            }
            Ok(0)
        })?;
        let arrived = lanes.iter_mut().flat_map(|lane| std::mem::take(&mut lane.arrived)).collect();
        Ok((!broken.into_inner()).then_some(arrived))
    }
}
