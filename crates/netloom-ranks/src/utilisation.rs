//! Bytes on every link over time, in bins that grow with the time covered.

use crate::LinkBins;

/// Marks the payload of a background flow.
pub const BACKGROUND: u32 = 1 << 31;

/// Whether a payload is a background flow (1) or a message (0), and its number among these.
pub fn split(payload: u32) -> (usize, usize) {
    (usize::from(payload & BACKGROUND != 0), (payload & !BACKGROUND) as usize)
}

/// Collects while flows move. When the time passes the last bin, neighbours are merged and the width doubles.
#[derive(Clone, Debug)]
pub struct Utilisation {
    width: f64,
    bins: usize,
    /// Row of bins by link; empty for unused links.
    rows: Vec<Vec<f64>>,
    /// Links of a payload, and its share on each; of messages, and of background flows.
    links: [Vec<Vec<(u32, f64)>>; 2],
}

impl Utilisation {
    /// `bins` is even and at least 2; `width_s` is the finest resolution.
    pub fn new(links: usize, bins: usize, width_s: f64) -> Utilisation {
        Utilisation { width: width_s, bins, rows: vec![Vec::new(); links], links: Default::default() }
    }

    /// Sets the links that the flow with this payload uses.
    pub fn route(&mut self, payload: u32, links: &[(u32, f64)]) {
        let (of, number) = split(payload);
        let known = &mut self.links[of];
        if known.len() <= number {
            known.resize(number + 1, Vec::new());
        }
        known[number].clear();
        known[number].extend_from_slice(links);
    }

    /// Spreads `rate · (to − from)` bytes over the bins.
    pub fn add(&mut self, payload: u32, from: f64, to: f64, rate: f64) {
        let moves = to > from && rate.is_finite();
        if !moves {
            return;
        }
        while to > self.width * self.bins as f64 {
            self.double();
        }
        let (of, number) = split(payload);
        let Some(links) = self.links[of].get(number) else { return };
        let (first, last) = ((from / self.width) as usize, ((to / self.width) as usize).min(self.bins - 1));
        for &(link, share) in links {
            let row = &mut self.rows[link as usize];
            if row.is_empty() {
                row.resize(self.bins, 0.0);
            }
            for (bin, sum) in row.iter_mut().enumerate().take(last + 1).skip(first) {
                let begin = from.max(bin as f64 * self.width);
                let end = to.min((bin + 1) as f64 * self.width);
                *sum += share * rate * (end - begin).max(0.0);
            }
        }
    }

    fn double(&mut self) {
        self.width *= 2.0;
        for row in self.rows.iter_mut().filter(|row| !row.is_empty()) {
            for bin in 0..self.bins / 2 {
                row[bin] = row[2 * bin] + row[2 * bin + 1];
            }
            row[self.bins / 2..].fill(0.0);
        }
    }

    pub fn finish(self) -> LinkBins {
        let mut out = LinkBins { width_s: self.width, bins: self.bins as u32, ..LinkBins::default() };
        for (link, row) in self.rows.iter().enumerate().filter(|(_, row)| !row.is_empty()) {
            out.links.push(link as u32);
            out.bytes.extend_from_slice(row);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_kept_while_bins_grow() {
        let mut u = Utilisation::new(3, 8, 1.0);
        u.route(7, &[(0, 1.0), (2, 0.5)]);
        u.route(BACKGROUND | 7, &[(0, 1.0), (2, 0.5)]);
        u.add(7, 0.5, 3.25, 4.0);
        u.add(BACKGROUND | 7, 10.0, 30.0, 2.0);
        let out = u.finish();
        assert_eq!(out.links, [0, 2]);
        assert_eq!(out.width_s, 4.0);
        assert!((out.bytes.iter().sum::<f64>() - 1.5 * (11.0 + 40.0)).abs() < 1e-9);
        assert_eq!(out.bytes[0], 11.0);
        assert_eq!(out.bytes[2], 4.0);
    }
}
