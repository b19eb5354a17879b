//! A partition of vertices into classes that only split.

/// Members of a class are next to each other in `order`.
pub struct Partition {
    /// Of each vertex.
    pub class: Vec<u32>,
    order: Vec<u32>,
    /// Where a vertex is in `order`.
    at: Vec<u32>,
    /// Of each class: its members are `order[first..end]`.
    bounds: Vec<(u32, u32)>,
}

impl Partition {
    /// Vertices of one colour are a class. O(n log n).
    pub fn of(colours: &[u64]) -> Partition {
        let mut order: Vec<u32> = (0..colours.len() as u32).collect();
        order.sort_by_key(|vertex| colours[*vertex as usize]);
        let (mut class, mut at) = (vec![0; colours.len()], vec![0; colours.len()]);
        let mut bounds = Vec::new();
        for (number, members) in (0..).zip(order.chunk_by(|a, b| colours[*a as usize] == colours[*b as usize])) {
            let first = bounds.last().map_or(0, |(_, end)| *end);
            bounds.push((first, first + members.len() as u32));
            for (place, &member) in (first..).zip(members) {
                (class[member as usize], at[member as usize]) = (number, place);
            }
        }
        Partition { class, order, at, bounds }
    }

    /// Tells vertices of a class apart by their weights; those that are not `touched` have none. The largest part keeps the
    /// number of the class, and the vertices of the others are appended to `news`. O(touched · log touched).
    pub fn split(&mut self, touched: &[u32], weight: &[u64], news: &mut Vec<u32>) {
        let of = |&vertex: &u32| (self.class[vertex as usize], weight[vertex as usize], vertex);
        let mut sorted: Vec<(u32, u64, u32)> = touched.iter().map(of).collect();
        sorted.sort_unstable();
        for members in sorted.chunk_by(|a, b| a.0 == b.0) {
            let (first, end) = self.bounds[members[0].0 as usize];
            let all = members.len() == (end - first) as usize;
            if !all || members[0].1 != members[members.len() - 1].1 {
                self.part(members, news);
            }
        }
    }

    /// Splits the class of `touched`: (class, weight, vertex), sorted.
    fn part(&mut self, touched: &[(u32, u64, u32)], news: &mut Vec<u32>) {
        let own = touched[0].0 as usize;
        let (first, end) = self.bounds[own];
        let untouched = end - first - touched.len() as u32;
        // Those without a weight come first, then the others in their order.
        for (place, &(_, _, vertex)) in (first + untouched..).zip(touched) {
            let (there, before) = (self.order[place as usize], self.at[vertex as usize]);
            self.order.swap(place as usize, before as usize);
            (self.at[there as usize], self.at[vertex as usize]) = (before, place);
        }
        let mut parts = if untouched > 0 { vec![(first, first + untouched)] } else { Vec::new() };
        for part in touched.chunk_by(|a, b| a.1 == b.1) {
            let from = parts.last().map_or(first, |(_, end)| *end);
            parts.push((from, from + part.len() as u32));
        }
        let keeps = (0..parts.len()).rev().max_by_key(|at| parts[*at].1 - parts[*at].0).unwrap_or(0);
        for (at, &(from, to)) in parts.iter().enumerate() {
            if at == keeps {
                self.bounds[own] = (from, to);
                continue;
            }
            let number = self.bounds.len() as u32;
            self.bounds.push((from, to));
            for &vertex in &self.order[from as usize..to as usize] {
                self.class[vertex as usize] = number;
                news.push(vertex);
            }
        }
    }

    /// Classes of vertices of a kind; each class is of one.
    pub fn classes(&self, is_of: impl Fn(u32) -> bool) -> usize {
        self.bounds.iter().filter(|(first, _)| is_of(self.order[*first as usize])).count()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use netloom_model::Stream;

    use super::*;

    /// Parts by hand: vertices of one class and one weight.
    #[test]
    fn classes_split_by_weight() {
        let mut draw = Stream::new(1, "partition");
        for _ in 0..200 {
            let vertices = 1 + draw.below(60);
            let colours: Vec<u64> = (0..vertices).map(|_| draw.below(3).into()).collect();
            let mut partition = Partition::of(&colours);
            for _ in 0..6 {
                let weight: Vec<u64> = (0..vertices).map(|_| draw.below(3).into()).collect();
                let touched: Vec<u32> = (0..vertices).filter(|at| weight[*at as usize] > 0).collect();
                let (before, mut news) = (partition.class.clone(), Vec::new());
                partition.split(&touched, &weight, &mut news);
                let mut slow: BTreeMap<(u32, u64), Vec<u32>> = BTreeMap::new();
                (0..vertices)
                    .for_each(|at| slow.entry((before[at as usize], weight[at as usize])).or_default().push(at));
                let mut kept: BTreeMap<u32, usize> = BTreeMap::new();
                for ((old, _), members) in &slow {
                    let now = partition.class[members[0] as usize];
                    assert!(members.iter().all(|at| partition.class[*at as usize] == now));
                    let is_new = members.iter().all(|at| news.contains(at));
                    assert_eq!(is_new, now != *old);
                    if now == *old {
                        kept.insert(*old, members.len());
                    }
                }
                assert_eq!(partition.classes(|_| true), slow.len());
                assert!(slow.iter().all(|((old, _), members)| kept[old] >= members.len()));
            }
        }
    }
}
