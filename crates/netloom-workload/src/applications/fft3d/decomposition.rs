//! Which part of the grid each object holds, and what it sends to the others, counted in points.

use std::ops::Range;

/// A grid, its parts and what a cutoff leaves of it. Points are counted as a transform leaves them: wave numbers 0, 1, ..., then
/// the negative ones.
pub(super) struct Decomposition {
    n: [u64; 3],
    /// Parts of X; of Y and Z.
    pub a: u64,
    pub b: u64,
    /// By part of Z: planes within the cutoff.
    planes: Vec<u64>,
    /// By part of Z: objects of D3 with the pencils that they get of it, ascending.
    dealt: Vec<Vec<(u32, u64)>>,
    /// By object of D3: parts of Z with the pencils that come from them, and how many it has in all.
    from: Vec<Vec<(u32, u64)>>,
    pencils: Vec<u64>,
    bricks: Option<[u64; 3]>,
}

/// Where data is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    Bricks,
    D1,
    D2,
    D3,
}

/// From a layout to the next one, as a forward transform goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reshape {
    In,
    First,
    Second,
    Out,
}

impl Reshape {
    pub fn ends(self) -> (Layout, Layout) {
        match self {
            Reshape::In => (Layout::Bricks, Layout::D1),
            Reshape::First => (Layout::D1, Layout::D2),
            Reshape::Second => (Layout::D2, Layout::D3),
            Reshape::Out => (Layout::D3, Layout::Bricks),
        }
    }
}

/// Part `at` of `n` points in so many parts, whose lengths differ by one at most, the longer ones first.
fn part(n: u64, parts: u64, at: u64) -> Range<u64> {
    let (each, longer) = (n / parts, n % parts);
    let start = at * each + at.min(longer);
    start..start + each + u64::from(at < longer)
}

fn length(range: Range<u64>) -> u64 {
    range.end.saturating_sub(range.start)
}

fn both(one: &Range<u64>, other: &Range<u64>) -> u64 {
    length(one.start.max(other.start)..one.end.min(other.end))
}

/// The square of the wave number at a place along an axis.
fn square(n: u64, at: u64) -> u64 {
    let wave = if at < n.div_ceil(2) { at } else { n - at };
    wave * wave
}

impl Decomposition {
    /// O(points of a plane).
    pub fn new(
        n: [u64; 3],
        (a, b): (u64, u64),
        cutoff: Option<u64>,
        d3: &str,
        bricks: Option<[u64; 3]>,
    ) -> Decomposition {
        let most = cutoff.unwrap_or(u64::MAX);
        let kept: Vec<u64> = (0..n[2]).filter(|z| square(n[2], *z) <= most).collect();
        let parts: Vec<Range<u64>> = (0..b).map(|c| part(kept.len() as u64, b, c)).collect();
        let of_y = |z: u64| (0..n[1]).filter(move |y| square(n[1], *y) + square(n[2], z) <= most);
        let all: u64 = kept.iter().map(|z| of_y(*z).count() as u64).sum();
        let objects = a * b;
        let mut dealt: Vec<Vec<(u32, u64)>> = vec![Vec::new(); b as usize];
        let mut number = 0;
        for (c, planes) in parts.iter().enumerate() {
            let mut to: Vec<u32> = Vec::new();
            for z in &kept[planes.start as usize..planes.end as usize] {
                for y in of_y(*z) {
                    let object = match d3 {
                        "round-robin" => number % objects,
                        "block" => place(all, objects, number),
                        _ => place(n[1], a, y) * b + c as u64,
                    };
                    to.push(object as u32);
                    number += 1;
                }
            }
            to.sort_unstable();
            dealt[c] = to.chunk_by(|one, other| one == other).map(|same| (same[0], same.len() as u64)).collect();
        }
        let mut from = vec![Vec::new(); objects as usize];
        for (c, to) in (0u32..).zip(&dealt) {
            to.iter().for_each(|(object, count)| from[*object as usize].push((c, *count)));
        }
        let pencils = from.iter().map(|parts: &Vec<(u32, u64)>| parts.iter().map(|(_, count)| count).sum()).collect();
        Decomposition { n, a, b, planes: parts.into_iter().map(length).collect(), dealt, from, pencils, bricks }
    }

    pub fn has_bricks(&self) -> bool {
        self.bricks.is_some()
    }

    fn x(&self, i: u64) -> Range<u64> {
        part(self.n[0], self.a, i)
    }

    fn y(&self, k: u64) -> Range<u64> {
        part(self.n[1], self.b, k)
    }

    /// Lines that an object transforms, and their points.
    pub fn lines(&self, layout: Layout, object: u32) -> (u64, u64) {
        let (i, at) = (u64::from(object) / self.b, u64::from(object) % self.b);
        match layout {
            Layout::Bricks => (0, 1),
            Layout::D1 => (length(self.x(i)) * length(self.y(at)), self.n[2]),
            Layout::D2 => (length(self.x(i)) * self.planes[at as usize], self.n[1]),
            Layout::D3 => (self.pencils[object as usize], self.n[0]),
        }
    }

    /// Objects to which an object sends in a reshape, with the points, ascending; none without points.
    pub fn sends(&self, reshape: Reshape, object: u32) -> Vec<(u32, u64)> {
        let (i, at) = (u64::from(object) / self.b, u64::from(object) % self.b);
        let mut to: Vec<(u32, u64)> = match reshape {
            Reshape::In => self.overlaps(Layout::Bricks, object, Layout::D1),
            Reshape::First => {
                let lines = length(self.x(i)) * length(self.y(at));
                (0..self.b).map(|c| ((i * self.b + c) as u32, lines * self.planes[c as usize])).collect()
            }
            Reshape::Second => {
                let deep = length(self.x(i));
                self.dealt[at as usize].iter().map(|(to, pencils)| (*to, pencils * deep)).collect()
            }
            Reshape::Out => self.overlaps(Layout::D3, object, Layout::Bricks),
        };
        to.retain(|(_, points)| *points > 0);
        to
    }

    /// Objects from which an object gets something in a reshape, with the points, ascending.
    pub fn gets(&self, reshape: Reshape, object: u32) -> Vec<(u32, u64)> {
        let (i, at) = (u64::from(object) / self.b, u64::from(object) % self.b);
        let mut from: Vec<(u32, u64)> = match reshape {
            Reshape::In => self.overlaps(Layout::D1, object, Layout::Bricks),
            Reshape::First => {
                let deep = length(self.x(i)) * self.planes[at as usize];
                (0..self.b).map(|k| ((i * self.b + k) as u32, length(self.y(k)) * deep)).collect()
            }
            Reshape::Second => {
                let parts = &self.from[object as usize];
                let of = |i: u64| {
                    let deep = length(self.x(i));
                    parts.iter().map(move |(c, pencils)| ((i * self.b) as u32 + c, pencils * deep))
                };
                (0..self.a).flat_map(of).collect()
            }
            Reshape::Out => self.overlaps(Layout::Bricks, object, Layout::D3),
        };
        from.retain(|(_, points)| *points > 0);
        from
    }

    /// Stride and number of the objects of a row, within which the first reshape stays, or of a column.
    pub fn group(&self, reshape: Reshape) -> (u32, u32) {
        match reshape {
            Reshape::First => (1, self.b as u32),
            _ => (self.b as u32, self.a as u32),
        }
    }

    /// Parts along each axis of a layout that holds boxes; objects are numbered with the last axis fastest.
    fn shape(&self, layout: Layout) -> [u64; 3] {
        match layout {
            Layout::Bricks => self.bricks.unwrap_or([1; 3]),
            Layout::D1 => [self.a, self.b, 1],
            Layout::D2 => [self.a, 1, self.b],
            Layout::D3 => [1, self.a, self.b],
        }
    }

    /// Boxes of one layout that a box of another one shares points with, and how many. O(those).
    fn overlaps(&self, layout: Layout, object: u32, other: Layout) -> Vec<(u32, u64)> {
        let (own, shape) = (self.shape(layout), self.shape(other));
        let object = u64::from(object);
        let at = [object / (own[1] * own[2]), object / own[2] % own[1], object % own[2]];
        let shared = |axis: usize| {
            let (n, mine) = (self.n[axis], part(self.n[axis], own[axis], at[axis]));
            let parts = place(n, shape[axis], mine.start)..place(n, shape[axis], mine.end - 1) + 1;
            parts.map(|other| (other, both(&mine, &part(n, shape[axis], other)))).collect::<Vec<(u64, u64)>>()
        };
        let [x, y, z] = [0, 1, 2].map(shared);
        let mut found = Vec::with_capacity(x.len() * y.len() * z.len());
        for (i, wide) in &x {
            for (j, high) in &y {
                found
                    .extend(z.iter().map(|(k, deep)| (((i * shape[1] + j) * shape[2] + k) as u32, wide * high * deep)));
            }
        }
        found
    }
}

/// The part of `n` points in so many parts that a point is in; see [`part`].
fn place(n: u64, parts: u64, point: u64) -> u64 {
    let (each, longer) = (n / parts, n % parts);
    let before = longer * (each + 1);
    if point < before { point / (each + 1) } else { longer + (point - before) / each.max(1) }
}
