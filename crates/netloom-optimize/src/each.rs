//! Independent runs, on all cores where that is worth the wake-up of their threads.

use rayon::prelude::*;

/// Results in the order of what is run. At most `few` run on the calling thread, one after another: other threads, woken for
/// them, would take more processor time to look for work than they save.
pub fn each<T: Send, R: Send>(ones: Vec<T>, few: usize, run: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    if ones.len() <= few { ones.into_iter().map(run).collect() } else { ones.into_par_iter().map(run).collect() }
}

/// Switches between which everything is known in a fraction of a millisecond.
pub const FEW_SITES: usize = 64;

#[cfg(test)]
mod tests {
    use super::each;

    #[test]
    fn few_stay_on_the_calling_thread() {
        let (here, at) = (std::thread::current().id(), |n: u32| (n, std::thread::current().id()));
        assert!(each(vec![1, 2, 3], 3, at).into_iter().eq([1, 2, 3].map(|n| (n, here))));
        let many = each((0..100).collect(), 3, |n| n * n);
        assert!(many.into_iter().eq((0..100).map(|n| n * n)));
    }
}
