//! Long work runs on its own thread. Every 50 ms the calling thread, which releases the GIL in between, checks for
//! signals, reports progress to the caller, and stops the work when the time budget is spent.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use netloom_model::{Outcome, Progress};
use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;

use crate::fault::OrRaise;
use crate::helper::{Ended, Started, prepare};

const POLL: Duration = Duration::from_millis(50);
/// Parts of a budget of time after each of which the work learns how much is used up, but no more often than each
/// [`SHORTEST`].
const PARTS: f64 = 200.0;
const SHORTEST: Duration = Duration::from_millis(1);
const BROKEN: &str = "internal error in the core: please report it with the input that caused it";

/// How long work that was asked to stop is waited for; then it goes on alone to its next look at the flag.
const GRACE: Duration = Duration::from_millis(500);

/// Runs `work`, calling `callback(done, total)` meanwhile, and before it `callback.simulated(seconds)` if it has such a method
/// and the work simulates time. An exception from the callback or a signal stops the work and
/// is raised. After `seconds` the work is stopped and its result so far is kept.
pub fn watched<T: Send + 'static>(
    py: Python<'_>,
    callback: Option<Py<PyAny>>,
    seconds: Option<f64>,
    work: impl FnOnce(&Progress) -> Outcome<T> + Send + 'static,
) -> PyResult<T> {
    let progress = Arc::new(Progress::new());
    let begin = Instant::now();
    let budget = seconds.map(|s| Duration::from_secs_f64(s.clamp(0.0, 1e9)));
    let poll = budget.map_or(POLL, |b| b.div_f64(PARTS).clamp(SHORTEST, POLL));
    let process = prepare(py)?;
    let found = py.detach(|| {
        let shared = Arc::clone(&progress);
        let mut started = Started::new(process, move || work(&shared));
        let mut deadline = budget.map(|b| begin + b);
        let (mut interruption, mut looked) = (None, begin);
        loop {
            let wait = deadline.map_or(poll, |d| d.saturating_duration_since(Instant::now()).min(poll));
            if let Some(ended) = started.within(wait) {
                return interruption.map_or(Ok(ended), |(error, _)| Err(error));
            }
            if deadline.is_some_and(|d| Instant::now() >= d) {
                // The work ends at its next look at the flag.
                progress.request_stop();
                deadline = None;
            } else if let Some(budget) = budget {
                progress.set_spent(begin.elapsed().as_secs_f64() / budget.as_secs_f64());
            }
            match interruption.take() {
                Some((error, since)) if looked.duration_since(since) > GRACE => return Err(error),
                Some((error, since)) => {
                    interruption = Some((error, since));
                    looked = Instant::now();
                }
                None if looked.elapsed() >= POLL => {
                    looked = Instant::now();
                    if let Err(error) = Python::attach(|py| look(py, callback.as_ref(), &progress)) {
                        progress.request_stop();
                        interruption = Some((error, looked));
                    }
                }
                None => {}
            }
        }
    });
    given(py, found?)
}

/// Runs `work`, which cannot be stopped: a signal is raised at once, and the work goes on alone until its end. Only the
/// main thread of Python gets signals; any other does the work itself.
pub fn waited<T: Send + 'static>(py: Python<'_>, work: impl FnOnce() -> Outcome<T> + Send + 'static) -> PyResult<T> {
    let process = prepare(py)?;
    if !is_main(py)? {
        return given(py, py.detach(|| catch_unwind(AssertUnwindSafe(work))));
    }
    let found = py.detach(|| {
        let mut started = Started::new(process, work);
        loop {
            if let Some(ended) = started.within(POLL) {
                return Ok::<_, PyErr>(ended);
            }
            Python::attach(|py| py.check_signals())?;
        }
    });
    given(py, found?)
}

fn is_main(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import(intern!(py, "threading"))?;
    let main = threading.call_method0(intern!(py, "main_thread"))?;
    Ok(main.is(&threading.call_method0(intern!(py, "current_thread"))?))
}

fn given<T>(py: Python<'_>, ended: Ended<Outcome<T>>) -> PyResult<T> {
    match ended {
        Ok(outcome) => outcome.or_raise(py),
        Err(_) => Err(PyRuntimeError::new_err(BROKEN)),
    }
}

/// Runs `work` on the calling thread, for work that may end before a thread has started. The work often calls the
/// function that it gets, with its progress since the last call, and stops if that returns so: every 50 ms the function
/// checks for signals and calls `callback(done, total)`.
pub fn looking<T: Send>(
    py: Python<'_>,
    callback: Option<Py<PyAny>>,
    total: u64,
    work: impl FnOnce(&mut dyn FnMut(u64) -> bool) -> Outcome<T> + Send,
) -> PyResult<T> {
    prepare(py)?;
    let progress = Progress::new();
    progress.set_total(total);
    let mut interruption = None;
    let outcome = py.detach(|| {
        let mut then = Instant::now();
        let mut watch = |done| {
            progress.add(done);
            if then.elapsed() >= POLL {
                interruption = Python::attach(|py| look(py, callback.as_ref(), &progress)).err();
                then = Instant::now();
            }
            interruption.is_some()
        };
        catch_unwind(AssertUnwindSafe(|| work(&mut watch)))
    });
    match (interruption, outcome) {
        (Some(error), _) => Err(error),
        (None, Ok(outcome)) => outcome.or_raise(py),
        (None, Err(_)) => Err(PyRuntimeError::new_err(BROKEN)),
    }
}

fn look(py: Python<'_>, callback: Option<&Py<PyAny>>, progress: &Progress) -> PyResult<()> {
    py.check_signals()?;
    if let Some(callback) = callback {
        let simulated_s = progress.simulated_s();
        if simulated_s > 0.0
            && let Ok(clock) = callback.getattr(py, intern!(py, "simulated"))
        {
            clock.call1(py, (simulated_s,))?;
        }
        callback.call1(py, progress.get())?;
    }
    Ok(())
}
