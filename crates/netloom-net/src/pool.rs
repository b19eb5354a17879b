//! The threads of the parallel loops, which all crates share.

use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

/// Starts the pool with `count` threads, or as many as there are to be had; without it, the first parallel loop would start
/// what the environment asks for. False if there are none: then the calling thread is the pool, and the only one to use it.
/// A pool that is there already stays.
pub fn start(count: usize) -> bool {
    let mut count = count.max(1);
    while count > 0 && !can_start(count) {
        count /= 2;
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count.max(1));
    let pool = if count == 0 { pool.use_current_thread() } else { pool };
    let _ = pool.build_global();
    count > 0
}

/// Whether `count` more threads can run at the same time.
fn can_start(count: usize) -> bool {
    let (hold, held) = mpsc::channel::<()>();
    let held = Arc::new(Mutex::new(held));
    let mut started = Vec::with_capacity(count);
    for _ in 0..count {
        let held = Arc::clone(&held);
        let wait = move || {
            let _ = held.lock().unwrap_or_else(PoisonError::into_inner).recv();
        };
        match thread::Builder::new().spawn(wait) {
            Ok(one) => started.push(one),
            Err(_) => break,
        }
    }
    drop(hold);
    let enough = started.len() == count;
    for one in started {
        let _ = one.join();
    }
    enough
}
