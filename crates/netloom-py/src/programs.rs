//! Programs of ranks: applications, traces, and lists from Python.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use netloom_formats::recorded::{BY_SMPI as SMPI, Choice, Others, Recorded, Replay, Window};
use netloom_formats::{read as parsed, smpi_trace, write};
use netloom_model::fault::{codes::BAD_VALUE, nearest};
use netloom_model::{self as model, Call, Collective, Fault, Op, Outcome};
use netloom_workload::compose::{self, Act, Groups};
use netloom_workload::{applications, registry};
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::cross;
use crate::factors::{Factors, scaled};
use crate::fault::{OrRaise, to_py};
use crate::kept::{self, Reduced, reduced};
use crate::objects::{Given, Programs, Schedule, Traffic};
use crate::work::waited;

/// A source of messages that can become programs.
#[derive(FromPyObject)]
enum Messages<'py> {
    Schedule(PyRef<'py, Schedule>),
    Traffic(PyRef<'py, Traffic>),
}

const STEPS: &str = "one of (\"flops\" | \"seconds\", amount, groups), (\"work\", workload, groups), \
    (\"repeat\", times, steps), (\"together\", branches), nested at most 64 deep";

/// Steps as Python gives them.
fn steps(given: &[Bound<'_, PyAny>], ranks: u32, depth: u32) -> PyResult<Vec<compose::Step>> {
    given.iter().map(|one| step(one, ranks, depth)).collect()
}

fn step(given: &Bound<'_, PyAny>, ranks: u32, depth: u32) -> PyResult<compose::Step> {
    let py = given.py();
    let refuse = || to_py(py, &Fault::new(&BAD_VALUE, "steps", STEPS, "another tuple").into());
    let Some(depth) = depth.checked_sub(1) else { return Err(refuse()) };
    let groups = |at: usize| {
        let lists = given.get_item(at)?.extract::<Vec<Vec<u32>>>()?;
        Groups::new(ranks, lists).map(Arc::new).or_raise(py)
    };
    Ok(match given.get_item(0)?.extract::<String>()?.as_str() {
        "flops" => compose::Step::In(groups(2)?, Act::Flops(given.get_item(1)?.extract()?)),
        "seconds" => compose::Step::In(groups(2)?, Act::Seconds(given.get_item(1)?.extract()?)),
        "work" => compose::Step::In(groups(2)?, Act::Work(given.get_item(1)?.extract::<Given<'_>>()?.share())),
        "repeat" => {
            let inner: Vec<Bound<'_, PyAny>> = given.get_item(2)?.extract()?;
            compose::Step::Repeat(given.get_item(1)?.extract()?, steps(&inner, ranks, depth)?)
        }
        "together" => {
            let branches: Vec<Vec<Bound<'_, PyAny>>> = given.get_item(1)?.extract()?;
            let all = branches.iter().map(|branch| steps(branch, ranks, depth)).collect::<PyResult<_>>()?;
            compose::Step::Together(all)
        }
        _ => return Err(refuse()),
    })
}

/// What reading in Python raised.
#[derive(Default)]
struct Raised(Mutex<Option<PyErr>>);

impl Raised {
    /// The bytes that a callable gives; an error of it is kept, and raised instead of the fault that stands for it here.
    fn bytes<A>(&self, read: Option<&Py<PyAny>>, arguments: A) -> Outcome<Vec<u8>>
    where
        A: for<'p> PyCallArgs<'p>,
    {
        let found: PyResult<Vec<u8>> = Python::attach(|py| {
            let Some(read) = read else { return Ok(Vec::new()) };
            Ok(read.bind(py).call1(arguments)?.cast::<PyBytes>()?.as_bytes().to_vec())
        });
        found.map_err(|error| {
            if let Ok(mut raised) = self.0.lock() {
                raised.get_or_insert(error);
            }
            Fault::say(&BAD_VALUE, "trace", "was not read").into()
        })
    }
}

/// Programs and what their record says, for Python.
pub fn recorded(py: Python<'_>, made: Recorded) -> PyResult<(Programs, Bound<'_, PyDict>)> {
    let Recorded { programs, survey } = made;
    let (out, calls) = (PyDict::new(py), PyDict::new(py));
    for (name, sum) in &survey.calls {
        calls.set_item(name, (sum.calls, sum.bytes, sum.seconds))?;
    }
    out.set_item("events", survey.events)?;
    out.set_item("calls", calls)?;
    out.set_item("communicators", survey.communicators)?;
    out.set_item("span_s", survey.span_s)?;
    out.set_item("notes", survey.notes)?;
    Ok((Programs(Arc::new(programs)), out))
}

/// Algorithm by collective, for those that are named; the others use MPICH's choice.
pub struct Algorithms(HashMap<String, Call>);

impl Algorithms {
    pub fn new(py: Python<'_>, named: HashMap<String, String>) -> PyResult<Algorithms> {
        let mut parsed = HashMap::new();
        // In order of their names, so that messages are deterministic.
        for (collective, text) in BTreeMap::from_iter(named) {
            let call = cross::parse(py, &text)?;
            let known = Collective::ALL.iter().any(|c| c.name() == collective);
            // A library's name, `ompi:bcast:pipeline`, contains that library's name of the collective.
            let is_foreign = call.name.matches(':').count() > 1;
            let fits = known && (is_foreign || call.name.split(':').next() == Some(collective.as_str()));
            let is_smpi = collective == SMPI && call.name == SMPI;
            if !fits && !is_smpi {
                return Err(to_py(py, &Self::unknown(&collective, &text).into()));
            }
            parsed.insert(collective, call);
        }
        Ok(Algorithms(parsed))
    }

    fn unknown(collective: &str, text: &str) -> Fault {
        let names = || Collective::ALL.iter().map(|c| c.name());
        let hint = match nearest(text.split(':').next().unwrap_or(text), names()) {
            Some(near) => format!("did you mean {near}? netloom list collectives shows them"),
            None => "netloom list collectives shows them".into(),
        };
        let expected = "an algorithm of that collective, such as alltoall:pairwise";
        Fault::new(&BAD_VALUE, format!("algorithms.{collective}"), expected, text).hint(hint)
    }

    pub fn schedule(&self, collective: Collective, ranks: u32, bytes: u64, root: u32) -> Outcome<model::Schedule> {
        match self.0.get(collective.name()) {
            Some(call) => registry::build(call, i64::from(ranks), i64::from(root), bytes as i64),
            None => applications::default_collectives(collective, ranks, bytes, root),
        }
    }

    /// Collectives that use SMPI's own default.
    pub fn by_smpi(&self) -> Vec<Collective> {
        let all = self.0.contains_key(SMPI);
        let is = |c: &Collective| self.0.get(c.name()).map_or(all, |call| call.name.split(':').nth(1) == Some(SMPI));
        Collective::ALL.iter().copied().filter(is).collect()
    }

    /// Refuses SMPI's own default, which exists only for traces.
    fn without_smpi(self, py: Python<'_>) -> PyResult<Algorithms> {
        if self.by_smpi().is_empty() {
            return Ok(self);
        }
        let fault = Fault::new(&BAD_VALUE, "algorithms", "algorithms of an application", SMPI).hint(
            "smpi is what SMPI's replay takes for the collectives of a trace; netloom list collectives shows others",
        );
        Err(to_py(py, &fault.into()))
    }
}

#[pymethods]
impl Programs {
    /// A registered application such as `ft(class=A)` on `ranks` ranks.
    #[staticmethod]
    #[pyo3(signature = (text, ranks, algorithms=HashMap::new()))]
    fn application(py: Python<'_>, text: &str, ranks: u32, algorithms: HashMap<String, String>) -> PyResult<Programs> {
        let (call, named) = (cross::parse(py, text)?, Algorithms::new(py, algorithms)?.without_smpi(py)?);
        let made =
            waited(py, move || applications::application(&call, ranks, &|c, p, b, r| named.schedule(c, p, b, r)))?;
        Ok(Programs(Arc::new(made)))
    }

    /// A trace: its first file and its name; names of the files that this one names, and what reads one of them by its
    /// number; `window` reads a part of the first file, by its first byte and their count, where `data` is its beginning
    /// alone. Its programs, and what it says of itself.
    #[staticmethod]
    #[pyo3(signature = (data, place, others=None, algorithms=HashMap::new(), format=None, scale=None, window=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn read<'py>(
        py: Python<'py>,
        data: PyBackedBytes,
        place: &str,
        others: Option<(Vec<String>, Py<PyAny>)>,
        algorithms: HashMap<String, String>,
        format: Option<&str>,
        scale: Option<Factors>,
        window: Option<Py<PyAny>>,
    ) -> PyResult<(Programs, Bound<'py, PyDict>)> {
        let scale = scaled(scale);
        let named = Algorithms::new(py, algorithms)?;
        let format = format.map(|text| cross::parse(py, text)).transpose()?;
        let place = place.to_string();
        let raised = Arc::new(Raised::default());
        let within = Arc::clone(&raised);
        let (others, read) = others.map_or_else(Default::default, |(names, read)| (names, Some(read)));
        let made = waited(py, move || {
            let whole = |number: usize| within.bytes(read.as_ref(), (number,));
            let part = |first: u64, count: u64| within.bytes(window.as_ref(), (first, count));
            let window = window.is_some().then_some(&part as Window<'_>);
            let (collectives, by_smpi) = (|c, p, b, r| named.schedule(c, p, b, r), named.by_smpi());
            let choice = Choice { collectives: &collectives, by_smpi: &by_smpi, scale: &scale };
            let others = Others { names: &others, read: &whole, window };
            parsed::<model::Programs>(&data, &place, format.as_ref(), Replay { others, choice })
        });
        match raised.0.lock().ok().and_then(|mut raised| raised.take()) {
            Some(error) => Err(error),
            None => recorded(py, made?),
        }
    }

    /// The files that the index of a trace names, in order; None for a file of actions.
    #[staticmethod]
    fn trace_index(py: Python<'_>, data: PyBackedBytes, place: &str) -> PyResult<Option<Vec<String>>> {
        let place = place.to_string();
        waited(py, move || smpi_trace::index(&data, &place))
    }

    /// The messages of a collective, step by step, or of a traffic, all at once.
    #[staticmethod]
    fn of_messages(py: Python<'_>, workload: Messages<'_>) -> PyResult<Programs> {
        let made = match workload {
            Messages::Schedule(s) => {
                let schedule = Arc::clone(&s.0);
                waited(py, move || model::Programs::of_schedule(&schedule))
            }
            Messages::Traffic(t) => {
                let traffic = Arc::clone(&t.0);
                waited(py, move || model::Programs::of_traffic(&traffic))
            }
        };
        Ok(Programs(Arc::new(made?)))
    }

    /// Steps, one after another, as one program: ("flops" | "seconds", amount, groups), ("work", workload, groups),
    /// ("repeat", times, steps), ("together", branches).
    #[staticmethod]
    fn compose(py: Python<'_>, label: &str, ranks: u32, given: Vec<Bound<'_, PyAny>>) -> PyResult<Programs> {
        let steps = steps(&given, ranks, 64)?;
        let label = label.to_string();
        Ok(Programs(Arc::new(waited(py, move || compose::compose(&label, ranks, &steps))?)))
    }

    /// The same, `times` times.
    fn repeated(&self, py: Python<'_>, times: u32) -> PyResult<Programs> {
        let programs = Arc::clone(&self.0);
        Ok(Programs(Arc::new(waited(py, move || programs.repeated(times))?)))
    }

    /// Actions of every rank as tuples that begin with a name; see `netloom.programs`.
    #[staticmethod]
    fn from_actions(py: Python<'_>, label: &str, bodies: Vec<Vec<Bound<'_, PyTuple>>>) -> PyResult<Programs> {
        let mut made = Vec::with_capacity(bodies.len());
        for (rank, body) in bodies.iter().enumerate() {
            let mut ops = Vec::with_capacity(body.len());
            for (at, action) in body.iter().enumerate() {
                push(&mut ops, action).ok_or_else(|| {
                    let place = format!("{label}: rank {rank}, action {at}");
                    let got = action.repr().map_or_else(|_| "a tuple".into(), |r| r.to_string());
                    to_py(py, &Fault::new(&BAD_VALUE, place, ACTIONS, got).into())
                })?;
            }
            made.push(ops);
        }
        Ok(Programs(Arc::new(model::Programs::new(label, made, Vec::new()).or_raise(py)?)))
    }

    /// (name, bytes) of the files of a trace, the index first.
    fn write<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Vec<(String, Bound<'py, PyBytes>)>> {
        let call = cross::parse(py, format)?;
        let programs = Arc::clone(&self.0);
        let files = waited(py, move || write(&*programs, &call, ()))?;
        Ok(files.into_iter().map(|(name, bytes)| (name, PyBytes::new(py, &bytes))).collect())
    }

    #[getter]
    fn label(&self) -> &str {
        &self.0.label
    }
    #[getter]
    fn ranks(&self) -> u32 {
        self.0.ranks()
    }
    /// Actions as stored, loops not unrolled.
    #[getter]
    fn actions(&self) -> usize {
        self.0.ops.len()
    }
    /// Messages of all ranks, loops unrolled. O(actions).
    #[getter]
    fn messages(&self) -> u64 {
        self.0.messages()
    }
    /// Of collectives that run side by side, one a rank: name, ranks, bytes and calls of each, and its members.
    fn communicators(&self) -> Option<Vec<Communicator>> {
        let made = self.0.communicators()?.into_iter().map(|(call, times)| {
            let schedule = &call.schedule;
            (schedule.collective.name(), schedule.members(), schedule.size_bytes, times, call.members.clone())
        });
        Some(made.collect())
    }
    /// Operations that the application counts.
    #[getter]
    fn counted_operations(&self) -> f64 {
        self.0.counted_operations
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        reduced(py, kept::PROGRAMS, &self.0)
    }
    fn __eq__(&self, other: &Programs) -> bool {
        self.0 == other.0
    }
    fn __hash__(&self) -> u64 {
        kept::hashed((&self.0.label, &self.0.offsets))
    }
    fn __repr__(&self) -> String {
        format!("<Programs {} on {} ranks: {} actions>", self.0.label, self.0.ranks(), self.0.ops.len())
    }
}

/// Collective, ranks, bytes, calls, members.
type Communicator = (&'static str, u32, u64, u64, Vec<u32>);

const ACTIONS: &str = "one of (\"send\" | \"receive\" | \"start_send\" | \"start_receive\", rank, bytes[, tag]), \
    (\"sendrecv\", to, bytes, from, bytes[, tag]), (\"wait\", requests back), (\"wait_all\",), (\"compute\", flops), \
    (\"sleep\", seconds), (\"repeat\", actions, times), (\"strand\", actions), (\"join\",)";

fn push(ops: &mut Vec<Op>, action: &Bound<'_, PyTuple>) -> Option<()> {
    let name: String = action.get_item(0).ok()?.extract().ok()?;
    let whole = |at: usize| action.get_item(at).ok()?.extract::<u64>().ok();
    let small = |at: usize| whole(at).and_then(|v| u32::try_from(v).ok());
    let real = |at: usize| action.get_item(at).ok()?.extract::<f64>().ok();
    let tag = |at: usize| if action.len() == at { Some(0) } else { small(at) };
    let count = |counts: &[usize]| counts.contains(&action.len()).then_some(());
    match name.as_str() {
        "send" | "receive" | "start_send" | "start_receive" => {
            count(&[3, 4])?;
            let (peer, bytes, tag) = (small(1)?, whole(2)?, tag(3)?);
            ops.push(match name.as_str() {
                "send" => Op::Send { peer, tag, bytes },
                "receive" => Op::Receive { peer, tag, bytes },
                "start_send" => Op::StartSend { peer, tag, bytes },
                _ => Op::StartReceive { peer, tag, bytes },
            });
        }
        "sendrecv" => {
            count(&[5, 6])?;
            let tag = tag(5)?;
            ops.push(Op::StartReceive { peer: small(3)?, tag, bytes: whole(4)? });
            ops.push(Op::StartSend { peer: small(1)?, tag, bytes: whole(2)? });
            ops.extend([Op::Wait { back: 2 }, Op::Wait { back: 1 }]);
        }
        "wait" => {
            count(&[2])?;
            ops.push(Op::Wait { back: small(1)? });
        }
        "wait_all" => {
            count(&[1])?;
            ops.push(Op::WaitAll);
        }
        "compute" => {
            count(&[2])?;
            ops.push(Op::Compute { flops: real(1)? });
        }
        "sleep" => {
            count(&[2])?;
            ops.push(Op::Sleep { seconds: real(1)? });
        }
        "repeat" => {
            count(&[3])?;
            ops.push(Op::Repeat { ops: small(1)?, times: small(2)? });
        }
        "strand" => {
            count(&[2])?;
            ops.push(Op::Strand { ops: small(1)? });
        }
        "join" => {
            count(&[1])?;
            ops.push(Op::Join);
        }
        _ => return None,
    }
    Some(())
}
