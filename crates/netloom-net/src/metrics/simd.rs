//! The kernel compiled for several instruction sets, chosen at run time. All give the same bits.

use super::kernel::{Level, Sink, dense};

/// An instruction set that this processor has. Only [`Simd::available`] makes one, which is what makes calls sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simd(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Simd {
    /// Every instruction set of this processor that the kernel knows, slowest first.
    pub fn available() -> Vec<Simd> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut sets = vec![Simd(Set::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
                sets.push(Simd(Set::Avx2));
            }
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vpopcntdq")
                && is_x86_feature_detected!("popcnt")
            {
                sets.push(Simd(Set::Avx512));
            }
        }
        sets
    }

    pub fn best() -> Simd {
        Simd::available().pop().unwrap_or(Simd(Set::Portable))
    }

    /// One level of the kernel; see [`dense`].
    #[allow(unsafe_code)]
    pub fn dense<S: Sink>(self, level: Level<'_>, filling: bool, sink: &mut S) -> u64 {
        match (self.0, filling) {
            (Set::Portable, false) => portable::<S, false>(level, sink),
            (Set::Portable, true) => portable::<S, true>(level, sink),
            // SAFETY: a value of these variants exists only after `available` found the features on this processor.
            #[cfg(target_arch = "x86_64")]
            (Set::Avx2, false) => unsafe { avx2::<S, false>(level, sink) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            (Set::Avx2, true) => unsafe { avx2::<S, true>(level, sink) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            (Set::Avx512, false) => unsafe { avx512::<S, false>(level, sink) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            (Set::Avx512, true) => unsafe { avx512::<S, true>(level, sink) },
        }
    }
}

#[inline(never)]
fn portable<S: Sink, const FILLING: bool>(level: Level<'_>, sink: &mut S) -> u64 {
    dense::<S, FILLING>(level, sink)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn avx2<S: Sink, const FILLING: bool>(level: Level<'_>, sink: &mut S) -> u64 {
    dense::<S, FILLING>(level, sink)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,popcnt")]
fn avx512<S: Sink, const FILLING: bool>(level: Level<'_>, sink: &mut S) -> u64 {
    dense::<S, FILLING>(level, sink)
}
