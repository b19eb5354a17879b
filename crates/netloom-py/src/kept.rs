//! Pickling: what the core holds as bytes of its own, and back.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use netloom_model::fault::codes::BAD_VALUE;
use netloom_model::kept::{Kept, open, seal};
use netloom_model::{self as model, Fault};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyTuple};

use crate::fault::to_py;
use crate::objects::{Network, Node, Programs, Schedule, Traffic};
use crate::work::waited;

/// What `restored` makes.
const NETWORK: &str = "Network";
pub const NODE: &str = "Node";
pub const PROGRAMS: &str = "Programs";
pub const SCHEDULE: &str = "Schedule";
pub const TRAFFIC: &str = "Traffic";

/// The result of `__reduce__`: `restored`, and its arguments.
pub type Reduced<'py> = PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)>;

/// An object whose bytes have one value of the model.
pub fn reduced<'py, T: Kept + Send + Sync + 'static>(
    py: Python<'py>,
    kind: &'static str,
    value: &Arc<T>,
) -> Reduced<'py> {
    let value = Arc::clone(value);
    by_restored(py, kind, &waited(py, move || Ok(seal(kind, |out| value.put(out))))?)
}

/// The same of a network and the notes of its reader.
pub fn reduced_network<'py>(py: Python<'py>, network: &Network) -> Reduced<'py> {
    let (value, notes) = (Arc::clone(&network.0), network.1.clone());
    let put = move |out: &mut Vec<u8>| {
        value.put(out);
        notes.put(out);
    };
    by_restored(py, NETWORK, &waited(py, move || Ok(seal(NETWORK, put)))?)
}

fn by_restored<'py>(py: Python<'py>, kind: &str, bytes: &[u8]) -> Reduced<'py> {
    let function = py.import("netloom._core")?.getattr("restored")?;
    Ok((function, (kind, PyBytes::new(py, bytes)).into_pyobject(py)?))
}

/// A call of something of this module that makes an object again.
pub fn remade<'py>(py: Python<'py>, home: &str, name: &str, arguments: Bound<'py, PyTuple>) -> Reduced<'py> {
    let home = py.import("netloom._core")?.getattr(home)?;
    Ok((if name.is_empty() { home } else { home.getattr(name)? }, arguments))
}

/// A hash of what is quick to read: equal objects have equal ones.
pub fn hashed(parts: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

/// The object whose pickled bytes these are: what `pickle.loads` calls.
#[pyfunction]
pub fn restored<'py>(py: Python<'py>, kind: &str, data: PyBackedBytes) -> PyResult<Bound<'py, PyAny>> {
    fn made<T: Kept + Send + Sync + 'static>(
        py: Python<'_>,
        kind: &'static str,
        data: PyBackedBytes,
    ) -> PyResult<Arc<T>> {
        waited(py, move || open(kind, &data, T::get).map(Arc::new))
    }
    Ok(match kind {
        NETWORK => {
            let (network, notes) = waited(py, move || {
                open(NETWORK, &data, |from| Some((model::Network::get(from)?, from.read::<Vec<String>>()?)))
            })?;
            Bound::new(py, Network::new(network, notes))?.into_any()
        }
        NODE => Bound::new(py, Node(made(py, NODE, data)?))?.into_any(),
        PROGRAMS => Bound::new(py, Programs(made(py, PROGRAMS, data)?))?.into_any(),
        SCHEDULE => Bound::new(py, Schedule(made(py, SCHEDULE, data)?))?.into_any(),
        TRAFFIC => Bound::new(py, Traffic(made(py, TRAFFIC, data)?))?.into_any(),
        other => {
            let expected = format!("one of {NETWORK}, {NODE}, {PROGRAMS}, {SCHEDULE}, {TRAFFIC}");
            return Err(to_py(py, &Fault::new(&BAD_VALUE, "pickle", expected, other).into()));
        }
    })
}
