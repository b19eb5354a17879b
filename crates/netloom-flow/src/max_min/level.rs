//! The level at which the flows on a resource fill it.

/// A flow on the resource: the level that others allow it, and its use per unit of level.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    pub limit: f64,
    pub share: f64,
}

/// The flows on a resource at a given level: those whose limit is not above it are held by others, the rest are open.
#[derive(Clone, Copy, Debug)]
pub struct Split {
    /// Capacity left by the held ones.
    left: f64,
    /// Shares of the open ones.
    open: f64,
    /// The greatest limit of a held one, and the least of an open one.
    below: f64,
    above: f64,
}

impl Split {
    pub fn of_none(capacity: f64) -> Split {
        Split { left: capacity, open: 0.0, below: 0.0, above: f64::INFINITY }
    }

    /// Adds one flow. Without branches: which flow is held is unpredictable.
    #[inline]
    pub fn add(&mut self, level: f64, limit: f64, share: f64) {
        let held = limit <= level;
        self.left -= if held { limit * share } else { 0.0 };
        self.open += if held { 0.0 } else { share };
        let (low, high) = if held { (limit, f64::INFINITY) } else { (0.0, limit) };
        self.below = if low > self.below { low } else { self.below };
        self.above = if high < self.above { high } else { self.above };
    }

    /// The level at which the open ones use the remaining capacity; infinite if none is open.
    #[inline]
    fn next(&self) -> f64 {
        if self.open == 0.0 { f64::INFINITY } else { self.left / self.open }
    }

    /// The same, if the same flows are held and open there: then it fills the resource.
    #[inline]
    pub fn exact(&self) -> Option<f64> {
        let next = self.next();
        (self.open > 0.0 && self.below <= next && next < self.above).then_some(next)
    }
}

fn split(capacity: f64, limits: &[Limit], level: f64) -> Split {
    let mut all = Split::of_none(capacity);
    limits.iter().for_each(|of| all.add(level, of.limit, of.share));
    all
}

/// The level at which flows with these limits fill the capacity, which their limits exceed; `guess` is any level.
///
/// Their use is a concave, increasing, piecewise linear function of the level: Newton's method from the left never
/// overshoots, and one step from the right leads to the left. It has converged when a step changes neither the held nor
/// the open flows. O(limits) per step.
pub fn fill(capacity: f64, limits: &[Limit], guess: f64) -> f64 {
    let first = split(capacity, limits, guess);
    if let Some(level) = first.exact() {
        return level;
    }
    let least = capacity / limits.iter().map(|of| of.share).sum::<f64>();
    // Also if all are held at the guess, or rounding leads below the level that all of them may have.
    let mut level = match first.next() {
        next if next < f64::INFINITY && next > least => next,
        _ => least,
    };
    loop {
        let step = split(capacity, limits, level);
        let next = step.next();
        if next <= level {
            return level;
        }
        if next == f64::INFINITY || step.exact().is_some() {
            return next;
        }
        level = next;
    }
}
