//! What processes send each other, as bytes: numbers from their least byte, records field after field, lists after their length.

use std::collections::BTreeMap;

use super::mail::{Credit, Mail, Sent};
use super::message::Arrival;
use super::state::Packet;
use crate::packet::carried::PacketWork;
use crate::packet::seen::{JobSeen, LinkSeen};
use crate::packet::watch::LinkUse;

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
macro_rules! records {
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
pub(in crate::packet) use records;

records! {
    Packet {
        place, word, tail, message, bytes, destination, to, lane, next, via, factor, slowest, routing, part, hops, stage, inner
    }
    Sent { at, link, packet }
    Credit { lane, bytes, free_at, factor }
    Mail { packets, credits, kept }
    Arrival { at, said, id, flow_ps, alone_ps, hops }
    PacketWork { packets, packet_hops, events, waits, most_bytes }
    LinkUse { packets, units, busy, stalls }
    LinkSeen { used, held, queue }
    JobSeen { packets, messages, by_hops, sources }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_taken_and_what_is_cut_is_not() {
        let packet = Packet { word: u64::MAX, tail: 7, hops: 3, ..Packet::new(0x2f) };
        let mail = Mail {
            packets: vec![Sent { at: 2, link: 3, packet }; 2],
            credits: vec![Credit { lane: 5, bytes: 6, free_at: 7, factor: 8 }],
            kept: (9, 10),
        };
        let arrival = Arrival { at: 2, said: 1, id: 3, flow_ps: 4, alone_ps: 0.1, hops: 6 };
        let mut bytes = Vec::new();
        (mail.clone(), vec![arrival]).put(&mut bytes);
        let all = <(Mail, Vec<Arrival>)>::take(&mut &bytes[..]).unwrap();
        assert_eq!(format!("{all:?}"), format!("{:?}", (mail, vec![arrival])));
        for cut in 0..bytes.len() {
            assert!(<(Mail, Vec<Arrival>)>::take(&mut &bytes[..cut]).is_none(), "{cut}");
        }
        let job = JobSeen { by_hops: vec![(1, 1 << 90)], sources: [(3, (4, 5))].into(), ..JobSeen::default() };
        let link = LinkSeen { held: Some((0.5, 2.0)), ..LinkSeen::default() };
        bytes.clear();
        (vec![(7u32, link)], job.clone()).put(&mut bytes);
        let all = <(Vec<(u32, LinkSeen)>, JobSeen)>::take(&mut &bytes[..]);
        assert_eq!(all, Some((vec![(7, link)], job)));
        assert!(Vec::<u64>::take(&mut &[255u8, 255, 255, 255, 1][..]).is_none());
    }
}
