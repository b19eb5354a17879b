//! Processes that simulate one machine together. Each runs all ranks and has some of the parts.
//!
//! There is one kind of call, from all to all, so that no two processes ever wait in different ones. Every call begins
//! with how the process is doing: one that fails says so instead of what the others expect, and they stop too.

use netloom_model::stream::mix;
use netloom_model::{Fault, Outcome};

use crate::codes;
use crate::wire::Wire;

/// Carries bytes between processes.
pub trait Exchange: Send {
    /// The number of this process, and how many there are.
    fn place(&self) -> (u16, u16);

    /// Gives process `i` the bytes `out[i]`; what each process has for this one, in their order. All call it together.
    ///
    /// # Errors
    /// If another process is not there any more.
    fn all_to_all(&mut self, out: Vec<Vec<u8>>) -> Outcome<Vec<Vec<u8>>>;
}

/// The first byte of a call: goes on, has failed, has ended well.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Going,
    Failed,
    Ended,
}

/// This process among all of them.
pub struct ProcessGroup {
    exchange: Option<Box<dyn Exchange>>,
    rank: u16,
    size: u16,
    /// Of all that ranks did, which must be the same everywhere.
    digest: u64,
    /// Nobody expects a call any more.
    over: bool,
}

impl ProcessGroup {
    /// One process.
    pub fn alone() -> ProcessGroup {
        ProcessGroup { exchange: None, rank: 0, size: 1, digest: 0, over: true }
    }

    /// Several; until [`ProcessGroup::end`] a drop tells the others that this one has failed.
    pub fn of(exchange: Box<dyn Exchange>) -> ProcessGroup {
        let (rank, size) = exchange.place();
        ProcessGroup { over: size <= 1, exchange: Some(exchange), rank, size, digest: 0 }
    }

    pub fn is_alone(&self) -> bool {
        self.size <= 1
    }

    pub fn size(&self) -> u16 {
        self.size
    }

    /// The first of `parts` that this process has, and the first that it has not.
    pub fn share(&self, parts: u16) -> (u16, u16) {
        let first = |rank: u16| (u32::from(parts) * u32::from(rank)).div_ceil(self.size.into()) as u16;
        (first(self.rank), first(self.rank + 1))
    }

    /// The process of a part.
    pub fn of_part(&self, part: u16, parts: u16) -> usize {
        (u32::from(part) * u32::from(self.size) / u32::from(parts)) as usize
    }

    /// All processes do the same: `what` is compared in the next call.
    #[inline]
    pub fn does(&mut self, what: u64) {
        self.digest = mix(self.digest ^ what);
    }

    /// One call: `out` by process.
    ///
    /// # Errors
    /// `NL-E023` if another process has failed, `NL-E024` if it does something else.
    pub fn call<T: Wire>(&mut self, out: Vec<T>) -> Outcome<Vec<T>> {
        self.exchanged(Standing::Going, out)
    }

    /// The last call: the same for all.
    ///
    /// # Errors
    /// As [`ProcessGroup::call`].
    pub fn end<T: Wire>(&mut self, mine: &T) -> Outcome<Vec<T>> {
        if self.is_alone() {
            return Ok(Vec::new());
        }
        let mut bytes = Vec::new();
        mine.put(&mut bytes);
        let all = self.bytes(Standing::Ended, vec![bytes; self.size.into()])?;
        all.iter().map(|bytes| T::take(&mut &bytes[..]).ok_or_else(differ)).collect()
    }

    fn exchanged<T: Wire>(&mut self, state: Standing, out: Vec<T>) -> Outcome<Vec<T>> {
        let bytes = |item: T| {
            let mut bytes = Vec::new();
            item.put(&mut bytes);
            bytes
        };
        let all = self.bytes(state, out.into_iter().map(bytes).collect())?;
        all.iter().map(|bytes| T::take(&mut &bytes[..]).ok_or_else(differ)).collect()
    }

    fn bytes(&mut self, state: Standing, out: Vec<Vec<u8>>) -> Outcome<Vec<Vec<u8>>> {
        let Some(exchange) = self.exchange.as_mut() else { return Ok(out) };
        self.over |= state != Standing::Going;
        let head = |bytes: Vec<u8>| {
            let mut all = Vec::with_capacity(bytes.len() + 9);
            (state as u8).put(&mut all);
            self.digest.put(&mut all);
            all.extend(bytes);
            all
        };
        let found = exchange.all_to_all(out.into_iter().map(head).collect());
        let mut found = found.inspect_err(|_| self.over = true)?;
        if found.len() != usize::from(self.size) {
            self.over = true;
            return Err(differ());
        }
        let failed = found.iter().any(|bytes| bytes.first() == Some(&(Standing::Failed as u8)));
        if failed {
            self.over = true;
            return Err(Fault::say(&codes::ELSEWHERE, "simulation", "another process has failed").into());
        }
        for bytes in &mut found {
            let mut rest = &bytes[..];
            if u8::take(&mut rest) != Some(state as u8) || u64::take(&mut rest) != Some(self.digest) {
                self.over = true;
                return Err(differ());
            }
            bytes.drain(..9);
        }
        Ok(found)
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        if !self.over {
            let _ = self.bytes(Standing::Failed, vec![Vec::new(); self.size.into()]);
        }
    }
}

pub fn differ() -> netloom_model::Faults {
    let sentence = "processes do not simulate the same: their inputs or builds of netloom differ";
    Fault::say(&codes::DIFFER, "simulation", sentence).into()
}

#[cfg(test)]
pub mod tests {
    use std::sync::{Arc, Barrier, Mutex};

    use super::*;

    /// Threads in place of processes.
    pub struct Threads {
        rank: u16,
        size: u16,
        mail: Arc<Mutex<Vec<Vec<Vec<u8>>>>>,
        barrier: Arc<Barrier>,
    }

    impl Threads {
        pub fn new(size: u16) -> Vec<Threads> {
            let (mail, barrier) = (Arc::default(), Arc::new(Barrier::new(size.into())));
            let one = |rank| Threads { rank, size, mail: Arc::clone(&mail), barrier: Arc::clone(&barrier) };
            *mail.lock().unwrap() = vec![Vec::new(); size.into()];
            (0..size).map(one).collect()
        }
    }

    impl Exchange for Threads {
        fn place(&self) -> (u16, u16) {
            (self.rank, self.size)
        }
        fn all_to_all(&mut self, out: Vec<Vec<u8>>) -> Outcome<Vec<Vec<u8>>> {
            self.mail.lock().unwrap()[usize::from(self.rank)] = out;
            self.barrier.wait();
            let found = self.mail.lock().unwrap().iter().map(|out| out[usize::from(self.rank)].clone()).collect();
            self.barrier.wait();
            Ok(found)
        }
    }

    /// What each of so many processes gets from `work`.
    pub fn together<T: Send>(size: u16, work: impl Fn(Box<Threads>) -> T + Sync) -> Vec<T> {
        let work = &work;
        std::thread::scope(|scope| {
            let all = Threads::new(size).into_iter();
            let all: Vec<_> = all.map(|one| scope.spawn(move || work(Box::new(one)))).collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        })
    }

    #[test]
    fn parts_are_shared_out_in_order() {
        for (parts, size) in [(1u16, 1u16), (4, 2), (7, 3), (64, 5)] {
            let mut next = 0;
            for rank in 0..size {
                let group = ProcessGroup { exchange: None, rank, size, digest: 0, over: true };
                let (first, end) = group.share(parts);
                assert!(first == next && end > first, "{parts} {size}: {first}..{end}");
                assert!((first..end).all(|part| group.of_part(part, parts) == usize::from(rank)));
                next = end;
            }
            assert_eq!(next, parts);
        }
    }

    #[test]
    fn one_that_fails_or_differs_ends_all() {
        let codes = |found: Outcome<Vec<u64>>| found.map_err(|faults| faults.0[0].code);
        let failed = together(3, |one| {
            let me = u64::from(one.rank);
            let mut group = ProcessGroup::of(one);
            assert_eq!(group.call(vec![me; 3]).unwrap(), [0, 1, 2]);
            (me != 1).then(|| codes(group.call(vec![me; 3])))
        });
        assert_eq!(failed, [Some(Err("NL-E023")), None, Some(Err("NL-E023"))]);
        let differing = together(2, |one| {
            let rank = one.rank;
            let mut group = ProcessGroup::of(one);
            group.does(rank.into());
            codes(group.call(vec![1u64; 2]))
        });
        assert_eq!(differing, [Err("NL-E024"), Err("NL-E024")]);
    }
}
