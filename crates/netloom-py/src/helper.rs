//! Threads that the calling thread waits for: whoever waits can be interrupted, and what nobody waits for any more goes on
//! alone until its end, with what it holds. Where no thread is to be had the calling thread works.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

/// What a piece of work comes to; an error is a panic.
pub type Ended<T> = thread::Result<T>;
type Job = Box<dyn FnOnce() + Send>;

/// Threads per processor, and in all, that the environment may ask for.
const EACH: usize = 4;
const FEW: usize = 16;

/// No thread could be started: all is done by who calls.
static ALONE: AtomicBool = AtomicBool::new(false);
static READY: Once = Once::new();
/// The thread that waits for work, and the process that it belongs to: a copy of a process has none of its threads.
static IDLE: Mutex<Option<(u32, mpsc::Sender<Job>)>> = Mutex::new(None);

/// Starts the pool of the parallel loops with as many threads as the environment asks for, as processors make sense of, and
/// as there are to be had.
pub fn prepare() {
    READY.call_once(|| {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.trim().parse().ok());
        let mut count = asked.filter(|&count| count > 0).unwrap_or(cores).min(FEW.max(EACH * cores));
        while count > 0 && !can_start(count) {
            count /= 2;
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count.max(1));
        let pool = if count == 0 {
            ALONE.store(true, Ordering::Relaxed);
            pool.use_current_thread()
        } else {
            pool
        };
        // Somebody else's pool is as good.
        let _ = pool.build_global();
    });
}

/// Whether so many threads more can be there at the same time.
fn can_start(count: usize) -> bool {
    let (hold, held) = mpsc::channel::<()>();
    let held = std::sync::Arc::new(Mutex::new(held));
    let mut started = Vec::with_capacity(count);
    for _ in 0..count {
        let held = std::sync::Arc::clone(&held);
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
    started.into_iter().for_each(|one| drop(one.join()));
    enough
}

/// Work that was given to a thread, which other work waits for.
pub struct Started<T> {
    receiver: mpsc::Receiver<Ended<T>>,
    thread: Option<mpsc::Sender<Job>>,
}

impl<T: Send + 'static> Started<T> {
    /// Gives `work` to a thread. Where there is none it is done before this returns.
    pub fn new(work: impl FnOnce() -> T + Send + 'static) -> Started<T> {
        prepare();
        let (sender, receiver) = mpsc::channel();
        let job: Job = Box::new(move || {
            // Nobody may be waiting any more.
            let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
        });
        let thread = taken();
        match &thread {
            Some(thread) => {
                if let Err(mpsc::SendError(job)) = thread.send(job) {
                    job();
                }
            }
            None => job(),
        }
        Started { receiver, thread }
    }

    /// What came of it, if that is there within `wait`. Who never asks again leaves the thread to its work alone.
    pub fn within(&mut self, wait: Duration) -> Option<Ended<T>> {
        let found: Ended<T> = match self.receiver.recv_timeout(wait) {
            Ok(found) => found,
            Err(mpsc::RecvTimeoutError::Timeout) => return None,
            Err(mpsc::RecvTimeoutError::Disconnected) => Err(Box::new("the work was dropped")),
        };
        if let Some(thread) = self.thread.take() {
            *idle() = Some((std::process::id(), thread));
        }
        Some(found)
    }
}

fn idle() -> std::sync::MutexGuard<'static, Option<(u32, mpsc::Sender<Job>)>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A thread that does what it is given until nobody can give it anything.
fn taken() -> Option<mpsc::Sender<Job>> {
    if ALONE.load(Ordering::Relaxed) {
        return None;
    }
    let waiting = idle().take();
    if let Some((process, thread)) = waiting
        && process == std::process::id()
    {
        return Some(thread);
    }
    let (sender, receiver) = mpsc::channel::<Job>();
    let work = move || receiver.into_iter().for_each(|job| job());
    thread::Builder::new().name("netloom".into()).stack_size(STACK).spawn(work).ok().map(|_| sender)
}

/// As much as the main thread has where the system sets nothing else.
const STACK: usize = 8 << 20;
