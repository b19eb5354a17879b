//! The byte form in which Python pickles what the core holds: every field in order, little-endian, between a head that
//! says what it is and a checksum. It is private to one version: files that last are those of the formats.

mod workloads;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::fault::{Fault, Outcome, codes};
use crate::forwarding::{Forwarding, Lost, Why};
use crate::hosts::Hosts;

/// The first bytes.
const MARK: &[u8] = b"netloom\0";
/// Of the layout below, within one version of netloom.
const FORM: u32 = 2;
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What has a byte form.
pub trait Kept: Sized {
    /// Fewest bytes of one: a length that the bytes cannot have is refused before memory is asked for.
    const LEAST: usize;
    fn put(&self, out: &mut Vec<u8>);
    /// `None` for bytes that are none, or a value that breaks what its type promises.
    fn get(from: &mut Rest<'_>) -> Option<Self>;
}

/// What is still to be read.
pub struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (now, later) = self.0.split_at_checked(bytes)?;
        self.0 = later;
        Some(now)
    }
    /// The next value.
    pub fn read<T: Kept>(&mut self) -> Option<T> {
        T::get(self)
    }
}

/// A value of that kind as bytes. O(bytes).
pub fn seal(kind: &str, put: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut out = MARK.to_vec();
    FORM.put(&mut out);
    VERSION.to_string().put(&mut out);
    kind.to_string().put(&mut out);
    put(&mut out);
    sum(&out).put(&mut out);
    out
}

/// The value that `seal` made bytes of. O(bytes).
///
/// # Errors
/// `NL-A007` for other bytes, those of another version, and damaged ones.
pub fn open<T>(kind: &str, bytes: &[u8], get: impl FnOnce(&mut Rest<'_>) -> Option<T>) -> Outcome<T> {
    let refuse = |got: String| {
        let expected = format!("the bytes that netloom {VERSION} makes of a {kind}");
        let hint = "pickle it again with this version; netloom.write makes files that other versions read";
        Err(Fault::new(&codes::BAD_VALUE, "pickle", expected, got).hint(hint).into())
    };
    let damaged = || refuse("damaged ones".into());
    let Some((inside, end)) = bytes.split_last_chunk::<8>().filter(|(inside, _)| inside.starts_with(MARK)) else {
        return refuse(format!("{} other bytes", bytes.len()));
    };
    if u64::from_le_bytes(*end) != sum(inside) {
        return damaged();
    }
    let mut rest = Rest(&inside[MARK.len()..]);
    let head = (rest.read::<u32>(), rest.read::<String>(), rest.read::<String>());
    match head {
        (Some(FORM), Some(version), Some(found)) if version == VERSION && found == kind => {}
        (Some(_), Some(version), Some(found)) if version == VERSION => return refuse(format!("those of a {found}")),
        (_, Some(version), _) => return refuse(format!("those of netloom {version}")),
        _ => return damaged(),
    }
    match get(&mut rest) {
        Some(value) if rest.0.is_empty() => Ok(value),
        _ => damaged(),
    }
}

/// Fowler, Noll, Vo (1991): FNV-1a of 64 bits.
fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Numbers as their bytes.
macro_rules! numbers {
    ($($number:ty),*) => { $(
        impl Kept for $number {
            const LEAST: usize = size_of::<$number>();
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn get(from: &mut Rest<'_>) -> Option<$number> {
                let bytes = from.take(Self::LEAST)?;
                Some(<$number>::from_le_bytes(bytes.try_into().ok()?))
            }
        }
    )* };
}
numbers!(u8, u16, u32, u64, f64);

/// A struct as its fields, in this order.
macro_rules! fields {
    ($name:ty { $($field:ident: $type:ty),* $(,)? }) => {
        impl $crate::kept::Kept for $name {
            const LEAST: usize = 0 $(+ <$type as $crate::kept::Kept>::LEAST)*;
            fn put(&self, out: &mut Vec<u8>) {
                $($crate::kept::Kept::put(&self.$field, out);)*
            }
            fn get(from: &mut $crate::kept::Rest<'_>) -> Option<Self> {
                Some(Self { $($field: from.read()?),* })
            }
        }
    };
}
pub(crate) use fields;

/// An enum as the number of its variant and then its fields.
macro_rules! variants {
    ($name:ident { $($number:literal => $variant:ident { $($field:ident),* }),* $(,)? }) => {
        impl $crate::kept::Kept for $name {
            const LEAST: usize = 1;
            fn put(&self, out: &mut Vec<u8>) {
                match self {
                    $($name::$variant { $($field),* } => {
                        out.push($number);
                        $($crate::kept::Kept::put($field, out);)*
                    })*
                }
            }
            fn get(from: &mut $crate::kept::Rest<'_>) -> Option<Self> {
                Some(match from.read::<u8>()? {
                    $($number => $name::$variant { $($field: from.read()?),* },)*
                    _ => return None,
                })
            }
        }
    };
}
pub(crate) use variants;

impl Kept for bool {
    const LEAST: usize = 1;
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }
    fn get(from: &mut Rest<'_>) -> Option<bool> {
        [false, true].get(usize::from(from.read::<u8>()?)).copied()
    }
}

impl Kept for String {
    const LEAST: usize = 8;
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u64).put(out);
        out.extend_from_slice(self.as_bytes());
    }
    fn get(from: &mut Rest<'_>) -> Option<String> {
        let length = usize::try_from(from.read::<u64>()?).ok()?;
        Some(std::str::from_utf8(from.take(length)?).ok()?.to_string())
    }
}

impl<T: Kept> Kept for Vec<T> {
    const LEAST: usize = 8;
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u64).put(out);
        self.iter().for_each(|one| one.put(out));
    }
    fn get(from: &mut Rest<'_>) -> Option<Vec<T>> {
        let length = usize::try_from(from.read::<u64>()?).ok()?;
        if length > from.0.len() / T::LEAST.max(1) {
            return None;
        }
        (0..length).map(|_| T::get(from)).collect()
    }
}

impl<T: Kept> Kept for Option<T> {
    const LEAST: usize = 1;
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        self.iter().for_each(|one| one.put(out));
    }
    fn get(from: &mut Rest<'_>) -> Option<Option<T>> {
        Some(if from.read::<bool>()? { Some(T::get(from)?) } else { None })
    }
}

/// What is in a box of some kind, as the thing itself.
macro_rules! boxes {
    ($($outer:ident),*) => { $(
        impl<T: Kept> Kept for $outer<T> {
            const LEAST: usize = T::LEAST;
            fn put(&self, out: &mut Vec<u8>) {
                T::put(self, out);
            }
            fn get(from: &mut Rest<'_>) -> Option<$outer<T>> {
                T::get(from).map($outer::new)
            }
        }
    )* };
}
boxes!(Box, Arc);

impl<A: Kept, B: Kept> Kept for (A, B) {
    const LEAST: usize = A::LEAST + B::LEAST;
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }
    fn get(from: &mut Rest<'_>) -> Option<(A, B)> {
        Some((from.read()?, from.read()?))
    }
}

impl<A: Kept, B: Kept, C: Kept> Kept for (A, B, C) {
    const LEAST: usize = A::LEAST + B::LEAST + C::LEAST;
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
        self.2.put(out);
    }
    fn get(from: &mut Rest<'_>) -> Option<(A, B, C)> {
        Some((from.read()?, from.read()?, from.read()?))
    }
}

impl Kept for Hosts {
    const LEAST: usize = 17;
    fn put(&self, out: &mut Vec<u8>) {
        self.host_of_endpoint().to_vec().put(out);
        (0..self.count()).filter_map(|host| self.name(host).map(String::from)).collect::<Vec<_>>().put(out);
        self.are_linked().put(out);
    }
    fn get(from: &mut Rest<'_>) -> Option<Hosts> {
        let (numbers, names, linked) = from.read::<(Vec<u32>, Vec<String>, bool)>()?;
        let made = Hosts::of(&numbers).with_names(names);
        let sound = made.host_of_endpoint() == numbers;
        sound.then(|| if linked { made.with_links() } else { made })
    }
}

variants!(Why {
    0 => NoEntry {},
    1 => NoCable { port },
    2 => NoCableTo { switch },
    3 => Wrong { port, endpoint },
    4 => Away { port, switch },
    5 => Itself {},
});
fields!(Lost { endpoint: u32, switch: u32, why: Why });

impl Kept for Forwarding {
    const LEAST: usize = 44;
    fn put(&self, out: &mut Vec<u8>) {
        self.name().to_string().put(out);
        self.switches().put(out);
        self.column_of().to_vec().put(out);
        (0..self.columns()).flat_map(|column| self.column(column).to_vec()).collect::<Vec<u32>>().put(out);
        self.lost().to_vec().put(out);
        self.absent().to_vec().put(out);
    }
    fn get(from: &mut Rest<'_>) -> Option<Forwarding> {
        let (name, switches, column_of) = from.read::<(String, u32, Vec<u32>)>()?;
        let (links, lost, absent) = from.read::<(Vec<u32>, Vec<Lost>, Vec<u32>)>()?;
        let (columns, left) = (links.len() / (switches as usize).max(1), links.len() % (switches as usize).max(1));
        let endpoints = column_of.len();
        let sound = left == 0
            && column_of.iter().all(|column| (*column as usize) < columns)
            && lost.iter().all(|lost| (lost.endpoint as usize) < endpoints && lost.switch < switches)
            && absent.iter().all(|switch| *switch < switches);
        sound.then(|| Forwarding::new(name, switches, column_of, links).with_lost(lost, absent))
    }
}
