//! Threads that the calling thread waits for: whoever waits can be interrupted, and what nobody waits for any more goes on
//! alone until its end, with what it holds. Where no thread is to be had the calling thread works.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use pyo3::intern;
use pyo3::prelude::*;

/// What a piece of work comes to; an error is a panic.
pub type Ended<T> = thread::Result<T>;
type Task = Box<dyn FnOnce() + Send>;

/// No thread could be started: all is done by who calls.
static ALONE: AtomicBool = AtomicBool::new(false);
static READY: OnceLock<()> = OnceLock::new();
/// The thread that waits for work, and the process that it belongs to: a copy of a process has none of its threads.
static IDLE: Mutex<Option<(u32, mpsc::Sender<Task>)>> = Mutex::new(None);

/// The number of this process, once the pool of the parallel loops has started with as many threads as make sense here.
pub fn prepare(py: Python<'_>) -> PyResult<u32> {
    if READY.get().is_none() {
        let wanted = py.import("netloom.base.threads")?.call_method0("wanted")?.extract()?;
        // Not under the lock of Python: another thread may be here, too.
        py.detach(|| READY.get_or_init(|| ALONE.store(!netloom_net::pool::start(wanted), Ordering::Relaxed)));
    }
    py.import(intern!(py, "os"))?.call_method0(intern!(py, "getpid"))?.extract()
}

/// Work that was given to a thread, which other work waits for.
pub struct Started<T> {
    receiver: mpsc::Receiver<Ended<T>>,
    thread: Option<mpsc::Sender<Task>>,
    process: u32,
}

impl<T: Send + 'static> Started<T> {
    /// Gives `work` to a thread of `process`, this one. Where there is none it is done before this returns.
    pub fn new(process: u32, work: impl FnOnce() -> T + Send + 'static) -> Started<T> {
        let (sender, receiver) = mpsc::channel();
        let job: Task = Box::new(move || {
            // Nobody may be waiting any more.
            let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
        });
        let thread = taken(process);
        match &thread {
            Some(thread) => {
                if let Err(mpsc::SendError(job)) = thread.send(job) {
                    job();
                }
            }
            None => job(),
        }
        Started { receiver, thread, process }
    }

    /// What came of it, if that is there within `wait`. Who never asks again leaves the thread to its work alone.
    pub fn within(&mut self, wait: Duration) -> Option<Ended<T>> {
        let found: Ended<T> = match self.receiver.recv_timeout(wait) {
            Ok(found) => found,
            Err(mpsc::RecvTimeoutError::Timeout) => return None,
            Err(mpsc::RecvTimeoutError::Disconnected) => Err(Box::new("the work was dropped")),
        };
        if let Some(thread) = self.thread.take() {
            *idle() = Some((self.process, thread));
        }
        Some(found)
    }
}

fn idle() -> std::sync::MutexGuard<'static, Option<(u32, mpsc::Sender<Task>)>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A thread that does what it is given until nobody can give it anything.
fn taken(process: u32) -> Option<mpsc::Sender<Task>> {
    if ALONE.load(Ordering::Relaxed) {
        return None;
    }
    let waiting = idle().take();
    if let Some((of, thread)) = waiting
        && of == process
    {
        return Some(thread);
    }
    let (sender, receiver) = mpsc::channel::<Task>();
    let work = move || receiver.into_iter().for_each(|job| job());
    thread::Builder::new().name("netloom".into()).stack_size(STACK).spawn(work).ok().map(|_| sender)
}

/// As much as the main thread has where the system sets nothing else.
const STACK: usize = 8 << 20;
