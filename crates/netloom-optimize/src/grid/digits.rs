//! Coordinates as digits. A layout maps each digit of the ranks' grid to a digit of the box.

use netloom_model::Stream;

/// A bijection between the places of two grids of the same size.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Per guest axis the primes of its digits, most significant first.
    guest: Vec<Vec<u32>>,
    /// True: the axis is written in reflected code, where neighbours differ in one digit, by one.
    guest_reflected: Vec<bool>,
    /// Per host axis its digits, most significant first, as indices into the guest's digits in row-major order.
    host: Vec<Vec<usize>>,
    host_reflected: Vec<bool>,
}

/// Prime factors, largest first.
fn primes(mut n: u32) -> Vec<u32> {
    let (mut found, mut p) = (Vec::new(), 2);
    while n > 1 {
        if u64::from(p) * u64::from(p) > u64::from(n) {
            p = n;
        }
        while n.is_multiple_of(p) {
            found.push(p);
            n /= p;
        }
        p += 1;
    }
    found.reverse();
    found
}

impl Layout {
    /// Guest axes in `order`, dealt to the host axes from first to last, most significant digits first. `None` unless
    /// both grids have the same size.
    pub fn in_order(guest: &[u32], host: &[u32], order: &[usize], reflected: bool) -> Option<Layout> {
        let digits: Vec<Vec<u32>> = guest.iter().map(|&extent| primes(extent)).collect();
        let mut first = Vec::with_capacity(digits.len());
        let mut count = 0;
        for axis in &digits {
            first.push(count);
            count += axis.len();
        }
        let mut waiting: Vec<(u32, usize)> = order
            .iter()
            .flat_map(|&a| digits[a].iter().enumerate().map(move |(i, p)| (*p, a, i)))
            .map(|(p, a, i)| (p, first[a] + i))
            .collect();
        let mut dealt = Vec::with_capacity(host.len());
        for &extent in host {
            let mut wanted = primes(extent);
            let mut axis = Vec::with_capacity(wanted.len());
            // Digits keep their order; each takes the first that still waits and whose prime is wanted.
            while !wanted.is_empty() {
                let (at, want) = waiting
                    .iter()
                    .enumerate()
                    .find_map(|(at, w)| wanted.iter().position(|p| *p == w.0).map(|want| (at, want)))?;
                wanted.remove(want);
                axis.push(waiting.remove(at).1);
            }
            dealt.push(axis);
        }
        waiting.is_empty().then(|| Layout {
            guest_reflected: vec![reflected; digits.len()],
            guest: digits,
            host_reflected: vec![reflected; dealt.len()],
            host: dealt,
        })
    }

    /// Place of every rank in the box, in which one step along axis `a` is `strides[a]`. O(ranks × digits).
    pub fn places(&self, strides: &[u32], out: &mut Vec<u32>) {
        let radix: Vec<u32> = self.guest.iter().flatten().copied().collect();
        let ranks: u32 = radix.iter().product();
        let mut digits = vec![0u32; radix.len()];
        out.clear();
        for rank in 0..ranks {
            self.split(rank, &mut digits);
            let mut place = 0;
            for ((axis, reflected), stride) in self.host.iter().zip(&self.host_reflected).zip(strides) {
                place += join(axis.iter().map(|&d| (digits[d], radix[d])), *reflected) * stride;
            }
            out.push(place);
        }
    }

    /// All digits of a row-major rank.
    fn split(&self, rank: u32, digits: &mut [u32]) {
        let mut rest = rank;
        let mut end = digits.len();
        for (axis, &reflected) in self.guest.iter().zip(&self.guest_reflected).rev() {
            let first = end - axis.len();
            for (digit, radix) in digits[first..end].iter_mut().zip(axis).rev() {
                *digit = rest % radix;
                rest /= radix;
            }
            if reflected {
                reflect(&mut digits[first..end], axis);
            }
            end = first;
        }
    }

    /// One small random change: two digits of the same prime trade places, digits of one axis change their order, or an
    /// axis is reflected or not.
    pub fn change(&mut self, stream: &mut Stream) {
        let radix: Vec<u32> = self.guest.iter().flatten().copied().collect();
        if radix.is_empty() {
            return;
        }
        match stream.below(8) {
            0 => flip(&mut self.guest_reflected, stream),
            1 => flip(&mut self.host_reflected, stream),
            2 => {
                let axis = stream.below(self.host.len() as u32) as usize;
                swap_two(&mut self.host[axis], stream);
            }
            3 => self.swap_guest_digits(stream),
            _ => {
                let (a, b) = (stream.below(radix.len() as u32) as usize, stream.below(radix.len() as u32) as usize);
                if radix[a] == radix[b] {
                    for digit in self.host.iter_mut().flatten() {
                        *digit = if *digit == a {
                            b
                        } else if *digit == b {
                            a
                        } else {
                            *digit
                        };
                    }
                }
            }
        }
    }

    /// Two digits of one guest axis change their order, but not their destination.
    fn swap_guest_digits(&mut self, stream: &mut Stream) {
        let axis = stream.below(self.guest.len() as u32) as usize;
        let first: usize = self.guest[..axis].iter().map(Vec::len).sum();
        let count = self.guest[axis].len() as u32;
        if count < 2 {
            return;
        }
        let (i, j) = (stream.below(count) as usize, stream.below(count) as usize);
        self.guest[axis].swap(i, j);
        let (a, b) = (first + i, first + j);
        for digit in self.host.iter_mut().flatten() {
            *digit = if *digit == a {
                b
            } else if *digit == b {
                a
            } else {
                *digit
            };
        }
    }
}

fn flip(flags: &mut [bool], stream: &mut Stream) {
    let i = stream.below(flags.len() as u32) as usize;
    flags[i] = !flags[i];
}

fn swap_two(items: &mut [usize], stream: &mut Stream) {
    if items.len() > 1 {
        let (i, j) = (stream.below(items.len() as u32) as usize, stream.below(items.len() as u32) as usize);
        items.swap(i, j);
    }
}

/// Plain digits to reflected ones: below an odd prefix a digit runs backwards, so that consecutive numbers differ in one
/// digit, by one.
fn reflect(digits: &mut [u32], radix: &[u32]) {
    let mut prefix = 0;
    for (digit, radix) in digits.iter_mut().zip(radix) {
        let plain = *digit;
        if prefix % 2 == 1 {
            *digit = radix - 1 - plain;
        }
        prefix = prefix * radix + plain;
    }
}

/// The coordinate that digits spell, plain or reflected.
fn join(digits: impl Iterator<Item = (u32, u32)>, reflected: bool) -> u32 {
    digits.fold(0, |prefix, (digit, radix)| {
        let plain = if reflected && prefix % 2 == 1 { radix - 1 - digit } else { digit };
        prefix * radix + plain
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reflected_codes_step_one_digit_by_one() {
        for radix in [vec![2, 2, 2, 2], vec![3, 2], vec![2, 3], vec![3, 3, 2], vec![5, 2, 3]] {
            let size: u32 = radix.iter().product();
            let code = |mut n: u32| {
                let mut digits = vec![0; radix.len()];
                for (digit, r) in digits.iter_mut().zip(&radix).rev() {
                    *digit = n % r;
                    n /= r;
                }
                reflect(&mut digits, &radix);
                digits
            };
            for n in 0..size {
                assert_eq!(join(code(n).into_iter().zip(radix.iter().copied()), true), n);
                if n > 0 {
                    let step: u32 = code(n).iter().zip(code(n - 1)).map(|(a, b)| a.abs_diff(b)).sum();
                    assert_eq!(step, 1, "{radix:?} at {n}");
                }
            }
        }
    }

    #[test]
    fn every_change_keeps_the_bijection() {
        let mut stream = Stream::new(3, "layouts");
        for (guest, host) in [(vec![6, 4], vec![3, 8, 1]), (vec![16, 8], vec![4, 4, 8]), (vec![5, 9], vec![45])] {
            let strides: Vec<u32> = (0..host.len()).map(|i| host[i + 1..].iter().product()).collect();
            let order: Vec<usize> = (0..guest.len()).collect();
            let mut layout = Layout::in_order(&guest, &host, &order, true).unwrap();
            for _ in 0..300 {
                layout.change(&mut stream);
                let mut places = Vec::new();
                layout.places(&strides, &mut places);
                places.sort_unstable();
                assert!(places.iter().copied().eq(0..guest.iter().product()), "{layout:?}");
            }
        }
        assert_eq!(Layout::in_order(&[4], &[6], &[0], false), None);
    }

    #[test]
    fn primes_multiply_back() {
        for n in 1..2000u32 {
            assert_eq!(primes(n).iter().product::<u32>(), n);
        }
        assert_eq!(primes(1), Vec::<u32>::new());
        assert_eq!(primes(360), [5, 3, 3, 2, 2, 2]);
        assert_eq!(primes(2_147_483_647), [2_147_483_647]);
    }
}
