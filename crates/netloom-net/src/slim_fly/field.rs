//! Arithmetic in the finite field with q = p^m elements.
//!
//! Elements are numbers 0..q whose base-p digits are the coefficients of a polynomial, lowest first. The field is built
//! on the first monic polynomial of degree m (in order of its number) for which x generates all non-zero elements; for
//! m = 1 on the least primitive root.

pub struct Field {
    p: u32,
    q: u32,
    /// Powers of the generator: `exp[i] = ξ^i`, 0 <= i < q-1.
    exp: Vec<u32>,
    log: Vec<u32>,
}

/// (p, m) with q = p^m and p prime, or `None`.
pub fn prime_power(q: u32) -> Option<(u32, u32)> {
    if q < 2 {
        return None;
    }
    let p =
        (2..).take_while(|d| u64::from(*d) * u64::from(*d) <= u64::from(q)).find(|d| q.is_multiple_of(*d)).unwrap_or(q);
    let (mut rest, mut m) = (q, 0);
    while rest.is_multiple_of(p) {
        rest /= p;
        m += 1;
    }
    (rest == 1).then_some((p, m))
}

impl Field {
    /// The field with `q` elements, or `None` if q is no prime power. O(q) per polynomial tried; few are.
    pub fn new(q: u32) -> Option<Field> {
        let (p, m) = prime_power(q)?;
        let order = q - 1;
        let exp = if m == 1 {
            (1..p).find_map(|root| powers(order, |x| (u64::from(x) * u64::from(root) % u64::from(p)) as u32))?
        } else {
            // x^m is replaced by minus the lower coefficients, whose number is `low`.
            (0..q).find_map(|low| powers(order, |x| times_x(x, low, p, q)))?
        };
        let mut log = vec![0; q as usize];
        for (i, &x) in exp.iter().enumerate() {
            log[x as usize] = i as u32;
        }
        Some(Field { p, q, exp, log })
    }

    /// ξ^i for any i.
    pub fn power(&self, i: u32) -> u32 {
        self.exp[(i % (self.q - 1)) as usize]
    }

    pub fn add(&self, a: u32, b: u32) -> u32 {
        add(a, b, self.p)
    }

    pub fn times(&self, a: u32, b: u32) -> u32 {
        if a == 0 || b == 0 { 0 } else { self.power(self.log[a as usize] + self.log[b as usize]) }
    }
}

/// 1, step(1), step(step(1)), ... if these are `order` different elements and the next is 1 again.
fn powers(order: u32, step: impl Fn(u32) -> u32) -> Option<Vec<u32>> {
    let mut exp = vec![1];
    let mut x = step(1);
    while x != 1 && x != 0 && exp.len() < order as usize {
        exp.push(x);
        x = step(x);
    }
    (x == 1 && exp.len() == order as usize).then_some(exp)
}

/// Digit by digit modulo p.
fn add(mut a: u32, mut b: u32, p: u32) -> u32 {
    let (mut sum, mut place) = (0, 1);
    while a > 0 || b > 0 {
        sum += (a % p + b % p) % p * place;
        (a, b) = (a / p, b / p);
        place *= p;
    }
    sum
}

fn times_x(x: u32, low: u32, p: u32, q: u32) -> u32 {
    let top = x / (q / p);
    let mut shifted = x % (q / p) * p;
    for _ in 0..top {
        shifted = add(shifted, low, p);
    }
    shifted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prime_powers() {
        let found: Vec<u32> = (0..33).filter(|&q| prime_power(q).is_some()).collect();
        assert_eq!(found, [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32]);
        assert_eq!(prime_power(u32::MAX), None);
        assert_eq!(prime_power(1 << 31), Some((2, 31)));
    }

    #[test]
    fn is_a_field() {
        for q in [2u32, 3, 4, 5, 7, 8, 9, 16, 25, 27] {
            let f = Field::new(q).unwrap();
            for a in 0..q {
                assert_eq!(f.add(a, 0), a);
                assert_eq!(f.times(a, 1), a);
                assert!((0..q).any(|b| f.add(a, b) == 0));
                assert!(a == 0 || (0..q).any(|b| f.times(a, b) == 1), "{q}: {a} has no inverse");
                for b in 0..q {
                    assert_eq!(f.times(a, b), f.times(b, a));
                    for c in 0..q {
                        assert_eq!(f.times(a, f.add(b, c)), f.add(f.times(a, b), f.times(a, c)), "{q}: {a} {b} {c}");
                        assert_eq!(f.times(a, f.times(b, c)), f.times(f.times(a, b), c), "{q}: {a} {b} {c}");
                    }
                }
            }
        }
        assert!(Field::new(6).is_none() && Field::new(1).is_none());
    }
}
