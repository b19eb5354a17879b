//! Events of a record, from readers in Python.

use std::collections::HashMap;
use std::sync::Mutex;

use netloom_formats::codes;
use netloom_formats::recorded::{self as records, Choice, Event, Scale};
use netloom_model::{Collective, Fault};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::{Columns, KINDS};
use crate::factors::{Factors, scaled};
use crate::fault::{OrRaise, to_py};
use crate::objects::Programs;
use crate::programs::{Algorithms, recorded};
use crate::work::waited;

/// A record that is being read: events of ranks in the order of their times. Peers and roots are numbers in the
/// communicator; communicator 0 is that of all ranks.
#[pyclass(frozen, module = "netloom._core")]
pub struct Recording {
    place: String,
    made: Mutex<Option<records::Recording>>,
    /// Events that wait until all are known, where receives may name no source or no tag.
    kept: Option<Mutex<Vec<Kept>>>,
    /// Whether only a part of it is taken.
    is_part: bool,
    ahead: Mutex<Ahead>,
}

/// What belongs to the next events.
#[derive(Default)]
struct Ahead {
    times: Vec<f64>,
    marks: Vec<(String, f64)>,
}

enum Kept {
    Event { rank: u32, group: u32, event: Event, seconds: f64 },
    Time(u32, f64),
    Mark(u32, String),
}

#[pymethods]
impl Recording {
    /// Of so many ranks. With `wildcards`, receives may name no source or no tag, and all events are kept until the end.
    #[new]
    #[pyo3(signature = (place, ranks, wildcards=false, algorithms=HashMap::new(), scale=None))]
    fn new(
        py: Python<'_>,
        place: &str,
        ranks: u32,
        wildcards: bool,
        algorithms: HashMap<String, String>,
        scale: Option<Factors>,
    ) -> PyResult<Recording> {
        let by_smpi = Algorithms::new(py, algorithms)?.by_smpi();
        let scale = scaled(scale);
        let made = records::Recording::new(place, ranks, &by_smpi, &scale).or_raise(py)?;
        let kept = wildcards.then(|| Mutex::new(Vec::new()));
        Ok(Recording {
            place: place.to_string(),
            made: Mutex::new(Some(made)),
            kept,
            is_part: !scale.region.is_all(),
            ahead: Mutex::default(),
        })
    }

    /// Names of the kinds of events, by number.
    #[classattr]
    #[pyo3(name = "KINDS")]
    fn kinds() -> Vec<&'static str> {
        KINDS.into_iter().chain(Collective::ALL.iter().map(|one| one.name())).collect()
    }
    #[classattr]
    const ANY_SOURCE: i64 = records::ANY_SOURCE;
    #[classattr]
    const ANY_TAG: i64 = records::ANY_TAG;
    #[classattr]
    const NO_PROCESS: i64 = records::NO_PROCESS;

    /// The number of a new communicator with these ranks, in the order of their numbers in it.
    fn communicator(&self, py: Python<'_>, members: Vec<u32>) -> PyResult<u32> {
        self.with(py, |made| made.communicator(members).or_raise(py))
    }

    /// Adds events of a rank: kind by number in `KINDS`, communicator, peer or root, tag, bytes, request (-1: none, the
    /// call blocks; of a wait the one that it waits for), and seconds: of `sleep` its length, of `compute` its operations,
    /// of a call how long it took.
    #[expect(clippy::too_many_arguments, reason = "columns of a table")]
    fn extend(
        &self,
        py: Python<'_>,
        rank: u32,
        kind: PyReadonlyArray1<'_, u8>,
        group: PyReadonlyArray1<'_, u32>,
        peer: PyReadonlyArray1<'_, i64>,
        tag: PyReadonlyArray1<'_, i64>,
        bytes: PyReadonlyArray1<'_, u64>,
        request: PyReadonlyArray1<'_, i64>,
        seconds: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<()> {
        let columns = Columns { kind, group, peer, tag, bytes, request, seconds };
        let Ahead { times, .. } = self.ahead();
        let mut at = 0;
        while at < columns.kind.as_array().len() {
            let (group, event, seconds) = columns.event(at).ok_or_else(|| {
                let place = format!("{}: rank {rank}, event {at}", self.place);
                to_py(py, &Fault::new(&codes::VALUE, place, "a kind of event with its columns", "another row").into())
            })?;
            if let Some(time) = times.get(at).copied() {
                self.put_time(py, rank, time)?;
            }
            at += if matches!(event, Event::Exchange { .. }) { 2 } else { 1 };
            self.put(py, rank, group, event, seconds)?;
        }
        Ok(())
    }

    /// Adds the tasks of a rank, which has no other events: columns as of `extend` without requests. The tag of what is no
    /// message is the unit that it keeps busy, such as a stream. Task `i` starts when those of `after[i]` have ended, which
    /// come before it.
    #[expect(clippy::too_many_arguments, reason = "columns of a table")]
    fn tasks(
        &self,
        py: Python<'_>,
        rank: u32,
        kind: PyReadonlyArray1<'_, u8>,
        group: PyReadonlyArray1<'_, u32>,
        peer: PyReadonlyArray1<'_, i64>,
        tag: PyReadonlyArray1<'_, i64>,
        bytes: PyReadonlyArray1<'_, u64>,
        seconds: PyReadonlyArray1<'_, f64>,
        after: Vec<Vec<u32>>,
    ) -> PyResult<()> {
        let request = PyArray1::from_vec(py, vec![-1i64; kind.as_array().len()]).readonly();
        let columns = Columns { kind, group, peer, tag, bytes, request, seconds };
        let took = columns.seconds.as_array().to_vec();
        let Ahead { marks, .. } = self.ahead();
        let mut graph = records::TaskGraph::default();
        for at in 0..columns.kind.as_array().len() {
            let unit = columns.tag.as_array().get(at).and_then(|unit| u32::try_from(*unit).ok());
            let before = after.get(at).filter(|before| before.iter().all(|number| (*number as usize) < at));
            let row = columns.event(at).zip(unit).zip(before);
            let ((event, unit), before) = row.ok_or_else(|| {
                let place = format!("{}: rank {rank}, task {at}", self.place);
                to_py(py, &Fault::new(&codes::VALUE, place, "a task with its columns", "another row").into())
            })?;
            let work = self.task(py, rank, at, event, unit)?;
            graph.tasks.push(records::Task { work, after: before.clone(), after_start: Vec::new() });
        }
        self.with(py, |made| {
            made.put_timed_graph(rank, &graph, Some(&took), &marks);
            if made.is_full() { Err(self.too_long(py)) } else { Ok(()) }
        })
    }

    /// Adds a collective with a count for each member: "alltoallv" with bytes sent to and received from each, "allgatherv"
    /// with those of each in `sent`, "gatherv" and "scatterv" with their own bytes first in `received` and at the root
    /// those of each in `sent`, "reduce-scatterv" with those of each in `sent`. With a `request` it goes on by itself
    /// until that is waited for.
    #[pyo3(signature = (rank, kind, group, root, sent, received, seconds, request=None))]
    #[expect(clippy::too_many_arguments, reason = "columns of a table")]
    fn vector(
        &self,
        py: Python<'_>,
        rank: u32,
        kind: &str,
        group: u32,
        root: u32,
        sent: Vec<u64>,
        received: Vec<u64>,
        seconds: f64,
        request: Option<i64>,
    ) -> PyResult<()> {
        let own = received.first().copied().unwrap_or(0);
        let event = match kind {
            "alltoallv" => Event::Alltoallv { sent, received },
            "allgatherv" => Event::Allgatherv(sent),
            "gatherv" => Event::Gatherv { own, counts: sent, root },
            "scatterv" => Event::Scatterv { own, counts: sent, root },
            "reduce-scatterv" => Event::ReduceScatterv { elements: sent.iter().sum(), counts: sent, flops: 0.0 },
            other => {
                let place = format!("{}: rank {rank}", self.place);
                return Err(to_py(py, &Fault::new(&codes::VALUE, place, "a collective with counts", other).into()));
            }
        };
        let event = match request {
            None => event,
            Some(number) => Event::Apart { event: Box::new(event), starts: (number, 0, 0) },
        };
        self.put(py, rank, group, event, seconds)
    }

    /// When each event of the next `extend` begins, after the first event of its rank, or what is named in the rank of the
    /// next `tasks`, and when.
    #[pyo3(signature = (times=None, marks=None))]
    fn ahead_of(&self, times: Option<PyReadonlyArray1<'_, f64>>, marks: Option<Vec<(String, f64)>>) {
        if self.is_part {
            let times = times.map(|times| times.as_array().to_vec()).unwrap_or_default();
            let made = Ahead { times, marks: marks.unwrap_or_default() };
            *self.ahead.lock().unwrap_or_else(|broken| broken.into_inner()) = made;
        }
    }

    /// The next event of a rank begins so many seconds after its first one.
    fn at(&self, py: Python<'_>, rank: u32, seconds: f64) -> PyResult<()> {
        self.put_time(py, rank, seconds)
    }

    /// A rank comes to what its record names, such as a step.
    fn mark(&self, py: Python<'_>, rank: u32, name: String) -> PyResult<()> {
        self.keep_or(py, Kept::Mark(rank, name))
    }

    /// Says once what was left out or assumed.
    fn note(&self, py: Python<'_>, text: &str) -> PyResult<()> {
        self.with(py, |made| {
            made.survey.note(text);
            Ok(())
        })
    }

    /// The programs, and what the record says of itself; `span_s` lies between its first event and its last.
    #[pyo3(signature = (span_s, algorithms=HashMap::new()))]
    fn finish<'py>(
        &self,
        py: Python<'py>,
        span_s: f64,
        algorithms: HashMap<String, String>,
    ) -> PyResult<(Programs, Bound<'py, PyDict>)> {
        if let Some(kept) = &self.kept {
            let kept = std::mem::take(&mut *kept.lock().unwrap_or_else(|broken| broken.into_inner()));
            self.with(py, |made| {
                for one in &kept {
                    if let Kept::Event { rank, group, event, .. } = one {
                        made.foresee(*rank, *group, event);
                    }
                }
                made.resolve();
                Ok(())
            })?;
            for one in kept {
                self.take(py, one)?;
            }
        }
        let taken = self.made.lock().unwrap_or_else(|broken| broken.into_inner()).take();
        let mut made = taken.ok_or_else(|| self.finished(py))?;
        made.survey.span_s = span_s;
        let named = Algorithms::new(py, algorithms)?;
        let done = waited(py, move || {
            let (collectives, by_smpi) = (|c, p, b, r| named.schedule(c, p, b, r), named.by_smpi());
            made.finish(Choice { collectives: &collectives, by_smpi: &by_smpi, scale: &Scale::default() })
        })?;
        recorded(py, done)
    }
}

impl Recording {
    fn with<T>(&self, py: Python<'_>, work: impl FnOnce(&mut records::Recording) -> PyResult<T>) -> PyResult<T> {
        let mut made = self.made.lock().unwrap_or_else(|broken| broken.into_inner());
        work(made.as_mut().ok_or_else(|| self.finished(py))?)
    }

    fn finished(&self, py: Python<'_>) -> PyErr {
        to_py(py, &Fault::new(&codes::VALUE, &self.place, "a record that is being read", "one that is finished").into())
    }

    fn ahead(&self) -> Ahead {
        std::mem::take(&mut *self.ahead.lock().unwrap_or_else(|broken| broken.into_inner()))
    }

    fn put(&self, py: Python<'_>, rank: u32, group: u32, event: Event, seconds: f64) -> PyResult<()> {
        self.keep_or(py, Kept::Event { rank, group, event, seconds })
    }

    /// A time matters only where a part of the record is taken.
    fn put_time(&self, py: Python<'_>, rank: u32, seconds: f64) -> PyResult<()> {
        if self.is_part { self.keep_or(py, Kept::Time(rank, seconds)) } else { Ok(()) }
    }

    fn keep_or(&self, py: Python<'_>, one: Kept) -> PyResult<()> {
        let Some(kept) = &self.kept else { return self.take(py, one) };
        let mut kept = kept.lock().unwrap_or_else(|broken| broken.into_inner());
        if kept.len() >= records::MAX_OPS {
            return Err(self.too_long(py));
        }
        kept.push(one);
        Ok(())
    }

    fn take(&self, py: Python<'_>, one: Kept) -> PyResult<()> {
        match one {
            Kept::Event { rank, group, event, seconds } => self.add(py, rank, group, event, seconds),
            Kept::Time(rank, seconds) => self.with(py, |made| {
                made.at(rank, seconds);
                Ok(())
            }),
            Kept::Mark(rank, name) => self.with(py, |made| {
                if rank < made.ranks() {
                    made.mark(rank, &name);
                }
                Ok(())
            }),
        }
    }

    fn too_long(&self, py: Python<'_>) -> PyErr {
        let sentence = format!("more than {} actions", records::MAX_OPS);
        to_py(py, &Fault::say(&codes::TOO_LARGE, &self.place, sentence).hint("cut the trace").into())
    }

    fn add(&self, py: Python<'_>, rank: u32, group: u32, event: Event, seconds: f64) -> PyResult<()> {
        self.with(py, |made| {
            self.spent(py, made, rank, &event, seconds)?;
            let place = format!("{}: rank {rank}, action {}", self.place, made.actions_of(rank));
            made.add(rank, group, event).map_err(|refused| said(py, &refused, place))?;
            if made.is_full() { Err(self.too_long(py)) } else { Ok(()) }
        })
    }

    fn task(
        &self,
        py: Python<'_>,
        rank: u32,
        at: usize,
        (group, event, seconds): (u32, Event, f64),
        unit: u32,
    ) -> PyResult<records::Work> {
        self.with(py, |made| {
            self.spent(py, made, rank, &event, seconds)?;
            let place = format!("{}: rank {rank}, task {at}", self.place);
            made.task(rank, group, &event, unit).map_err(|refused| said(py, &refused, place))
        })
    }

    /// The time that a call of a rank took.
    fn spent(
        &self,
        py: Python<'_>,
        made: &mut records::Recording,
        rank: u32,
        event: &Event,
        seconds: f64,
    ) -> PyResult<()> {
        if rank >= made.ranks() {
            let expected = format!("a rank in 0..{} (exclusive)", made.ranks());
            return Err(to_py(py, &Fault::new(&codes::VALUE, &self.place, expected, rank).into()));
        }
        if seconds > 0.0 {
            made.spend(rank, event, seconds);
        }
        Ok(())
    }
}

fn said(py: Python<'_>, refused: &records::Refused, place: String) -> PyErr {
    let (row, expected, hint) = refused.says();
    to_py(py, &Fault::new(row, place, expected, "this one").hint(hint).into())
}
