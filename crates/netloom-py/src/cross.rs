//! Values between Python and the call grammar.

use netloom_model::Mapping;
use netloom_model::call::{Call, Value};
use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PySequence, PyString, PyTuple};

use crate::fault::OrRaise;
use crate::objects::Network;

/// Any Python object as an argument; a value that no parameter takes is kept as text for the message.
pub fn value(object: &Bound<'_, PyAny>) -> Value {
    if let Ok(flag) = object.cast::<PyBool>() {
        return Value::Bool(flag.is_true());
    }
    if object.is_instance_of::<PyInt>() {
        return object.extract::<i64>().map_or_else(|_| Value::Other(text(object)), Value::Int);
    }
    if object.is_instance_of::<PyFloat>() {
        return object.extract::<f64>().map_or_else(|_| Value::Other(text(object)), Value::Float);
    }
    if let Ok(string) = object.cast::<PyString>() {
        return Value::Text(string.to_string_lossy().into_owned());
    }
    if (object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>())
        && let Ok(sequence) = object.cast::<PySequence>()
    {
        let length = sequence.len().unwrap_or(0);
        return Value::List((0..length).filter_map(|i| sequence.get_item(i).ok()).map(|item| value(&item)).collect());
    }
    // NumPy scalars convert to an index or a number.
    if let Ok(number) = object.call_method0("__index__").and_then(|v| v.extract::<i64>()) {
        return Value::Int(number);
    }
    if let Ok(number) = object.call_method0("__float__").and_then(|v| v.extract::<f64>()) {
        return Value::Float(number);
    }
    Value::Other(text(object))
}

fn text(object: &Bound<'_, PyAny>) -> String {
    object.repr().map_or_else(|_| "an object".into(), |r| r.to_string_lossy().into_owned())
}

/// The name of an argument. `str(name)` would look for signals, and lose the exception that one raises.
fn name_of(key: &Bound<'_, PyAny>) -> String {
    key.cast::<PyString>().map_or_else(|_| text(key), |name| name.to_string_lossy().into_owned())
}

/// `name(*args, **kwargs)` as a call.
pub fn call(name: &str, args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> Call {
    let mut call = Call::bare(name);
    call.positional = args.iter().map(|a| value(&a)).collect();
    if let Some(kwargs) = kwargs {
        for (key, item) in kwargs.iter() {
            call.keyword.push((name_of(&key), value(&item)));
        }
    }
    call
}

/// `name(**options)` as a call; `None` selects the default.
pub fn options(name: &str, options: Option<&Bound<'_, PyDict>>) -> Call {
    let mut call = Call::bare(name);
    let given = options.into_iter().flatten().filter(|(_, item)| !item.is_none());
    call.keyword = given.map(|(key, item)| (name_of(&key), value(&item))).collect();
    call
}

/// Reads call text, raising on bad syntax.
pub fn parse(py: Python<'_>, text: &str) -> PyResult<Call> {
    Call::parse(text).or_raise(py)
}

/// A value of the grammar as a Python object.
pub fn to_py<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Int(v) => v.into_pyobject(py)?.into_any(),
        Value::Float(v) => v.into_pyobject(py)?.into_any(),
        Value::Bool(v) => PyBool::new(py, *v).to_owned().into_any(),
        Value::Text(v) => PyString::new(py, v).into_any(),
        Value::List(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(to_py(py, item)?)?;
            }
            list.into_any()
        }
        Value::Call(call) => PyString::new(py, &call.to_string()).into_any(),
        Value::Other(_) => py.None().into_bound(py),
    })
}

/// A number that `array.array` holds.
pub trait Cell: Element {
    /// Its type code there.
    const CODE: &'static str;
}

macro_rules! cells {
    ($($type:ty = $code:literal),*) => {
        $(impl Cell for $type {
            const CODE: &'static str = $code;
        })*
    };
}
cells!(u8 = "B", u32 = "I", u64 = "Q", i64 = "q", f64 = "d");

/// Numbers as Python's `array.array`: NumPy can use its memory without a copy, and code that only prints them needs no
/// NumPy, whose import costs more than most answers. One copy.
pub fn column<'py, T: Cell>(py: Python<'py>, items: &[T]) -> PyResult<Bound<'py, PyAny>> {
    let zero = PyBytes::new_with(py, size_of::<T>(), |_| Ok(()))?;
    let column = py.import("array")?.getattr("array")?.call1((T::CODE, zero))?.mul(items.len())?;
    if !items.is_empty() {
        PyBuffer::<T>::get(&column)?.copy_from_slice(py, items)?;
    }
    Ok(column)
}

/// Numbers as an ndarray.
pub fn array<'py, T: numpy::Element + Copy>(py: Python<'py>, items: &[T]) -> Bound<'py, numpy::PyArray1<T>> {
    numpy::PyArray1::from_slice(py, items)
}

/// Endpoint per rank from any integer array or list. A number that no endpoint can have becomes one that does not exist,
/// so that the mapping's own check reports it.
pub fn endpoints(array: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    if let Ok(exact) = PyBuffer::<u32>::get(array)
        && exact.dimensions() == 1
    {
        return exact.to_vec(array.py());
    }
    let numbers: Vec<i64> = array.extract()?;
    Ok(numbers.into_iter().map(|e| u32::try_from(e).unwrap_or(u32::MAX)).collect())
}

/// A checked mapping onto `network`.
pub fn mapping(network: &Network, array: &Bound<'_, PyAny>) -> PyResult<Mapping> {
    Mapping::new(endpoints(array)?, &network.0).or_raise(array.py())
}
