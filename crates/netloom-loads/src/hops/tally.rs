//! Integer sums that workers compute separately and add up: the order of addition cannot change them.

use netloom_model::distance::UNREACHED;

use super::StepHops;

#[derive(Clone, Debug)]
pub(crate) struct Tally {
    pub messages: u64,
    pub hops: u64,
    pub bytes: u128,
    pub hop_bytes: u128,
    /// Messages by hops; the last entry counts messages without a path.
    pub histogram: [u64; 256],
    pub steps: Vec<StepHops>,
}

impl Tally {
    pub fn new(steps: usize) -> Tally {
        Tally {
            messages: 0,
            hops: 0,
            bytes: 0,
            hop_bytes: 0,
            histogram: [0; 256],
            steps: vec![StepHops::default(); steps],
        }
    }

    /// `messages` messages of `bytes` bytes in all, `hops` hops each.
    pub fn add(&mut self, step: Option<usize>, hops: u8, messages: u64, bytes: u128) {
        let far = u64::from(hops) * messages;
        let hop_bytes = u128::from(hops) * bytes;
        self.messages += messages;
        self.hops += far;
        self.bytes += bytes;
        self.hop_bytes += hop_bytes;
        self.histogram[hops as usize] += messages;
        if let Some(step) = step {
            let step = &mut self.steps[step];
            step.messages += messages;
            step.hops += far;
            step.max = step.max.max(u32::from(hops));
            step.hop_bytes += hop_bytes;
        }
    }

    pub fn join(mut self, other: Tally) -> Tally {
        self.messages += other.messages;
        self.hops += other.hops;
        self.bytes += other.bytes;
        self.hop_bytes += other.hop_bytes;
        for (a, b) in self.histogram.iter_mut().zip(other.histogram) {
            *a += b;
        }
        for (a, b) in self.steps.iter_mut().zip(other.steps) {
            a.messages += b.messages;
            a.hops += b.hops;
            a.max = a.max.max(b.max);
            a.hop_bytes += b.hop_bytes;
        }
        self
    }

    pub fn unreached(&self) -> u64 {
        self.histogram[UNREACHED as usize]
    }
}
