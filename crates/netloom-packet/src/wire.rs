//! What processes send each other, as bytes: numbers from their least byte, records field after field, lists after their length.

use std::collections::BTreeMap;

/// A value that can cross to another process.
pub trait Wire: Sized {
    fn put(&self, out: &mut Vec<u8>);
    /// The value at the start of `from`, which moves behind it; `None` if there is none.
    fn take(from: &mut &[u8]) -> Option<Self>;
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Wire for $number {
            #[inline]
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            #[inline]
            fn take(from: &mut &[u8]) -> Option<Self> {
                let (bytes, rest) = from.split_first_chunk()?;
                *from = rest;
                Some(<$number>::from_le_bytes(*bytes))
            }
        }
    )*};
}
numbers!(u8, u16, u32, u64, u128, i64, i128, f64);

/// A record crosses as its fields, in this order.
macro_rules! as_bytes {
    ($($record:ident { $($field:ident),* })*) => {$(
        impl Wire for $record {
            fn put(&self, out: &mut Vec<u8>) {
                $(self.$field.put(out);)*
            }
            fn take(from: &mut &[u8]) -> Option<Self> {
                Some($record { $($field: Wire::take(from)?),* })
            }
        }
    )*};
}
pub(crate) use as_bytes;

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u32).put(out);
        self.iter().for_each(|item| item.put(out));
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        let count = u32::take(from)? as usize;
        // Every item has a byte at least.
        if count > from.len() {
            return None;
        }
        (0..count).map(|_| T::take(from)).collect()
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        u8::from(self.is_some()).put(out);
        self.iter().for_each(|item| item.put(out));
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        match u8::take(from)? {
            0 => Some(None),
            _ => T::take(from).map(Some),
        }
    }
}

impl<K: Wire + Ord, V: Wire> Wire for BTreeMap<K, V> {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u32).put(out);
        for (key, value) in self {
            key.put(out);
            value.put(out);
        }
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        Vec::take(from).map(|pairs: Vec<(K, V)>| pairs.into_iter().collect())
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        Some((A::take(from)?, B::take(from)?))
    }
}
