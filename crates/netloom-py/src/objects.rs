//! The classes that Python sees, as data; the methods of each stand in the file of its room. No function of the binding is
//! needed here, so that every file may know every class.

use std::sync::Arc;

use netloom_model::{self as model, Distances};
use pyo3::prelude::*;

/// An immutable network: switches, endpoints and directed links.
#[pyclass(frozen, module = "netloom._core")]
pub struct Network(pub Arc<model::Network>, pub Vec<String>, pub Arc<Distances>);

impl Network {
    /// With the notes of the file that it was read from.
    pub fn new(network: model::Network, notes: Vec<String>) -> Network {
        Network(Arc::new(network), notes, Arc::new(Distances::new(netloom_net::MEASURE)))
    }

    /// One that others hold too.
    pub fn of(network: Arc<model::Network>) -> Network {
        Network(network, Vec::new(), Arc::new(Distances::new(netloom_net::MEASURE)))
    }
}

/// The levels of a node, and its NICs.
#[pyclass(frozen, module = "netloom._core")]
pub struct Node(pub Arc<model::Node>);

/// The paths of every pair of switches of one network.
#[pyclass(frozen, module = "netloom._core")]
pub struct Routing {
    pub network: Arc<model::Network>,
    pub routing: Arc<dyn model::Routing>,
}

/// A collective's messages in steps.
#[pyclass(frozen, module = "netloom._core")]
pub struct Schedule(pub Arc<model::Schedule>);

impl Schedule {
    /// Its messages as a stream.
    pub fn sends(&self) -> Arc<dyn model::Sends> {
        Arc::new(model::ScheduleSends::new(Arc::clone(&self.0)))
    }
}

/// Traffic: bytes and messages from rank to rank.
#[pyclass(frozen, module = "netloom._core")]
pub struct Traffic(pub Arc<model::Traffic>);

impl Traffic {
    /// Its flows as a stream.
    pub fn sends(&self) -> Arc<dyn model::Sends> {
        Arc::clone(&self.0) as Arc<dyn model::Sends>
    }
}

/// The actions of every rank, in order.
#[pyclass(frozen, module = "netloom._core")]
pub struct Programs(pub Arc<model::Programs>);

/// Traffic generated rank by rank and never held as a whole.
#[pyclass(frozen, module = "netloom._core")]
pub struct Sends(pub Arc<dyn model::Sends>, pub Source);

/// What made a stream.
pub enum Source {
    Pattern(String, Option<i64>),
    Schedule(Arc<model::Schedule>),
    Traffic(Arc<model::Traffic>),
}

impl Sends {
    pub fn sends(&self) -> Arc<dyn model::Sends> {
        Arc::clone(&self.0)
    }
}

/// A workload in any form, from Python.
#[derive(FromPyObject)]
pub enum Given<'py> {
    Schedule(PyRef<'py, Schedule>),
    Traffic(PyRef<'py, Traffic>),
    Programs(PyRef<'py, Programs>),
    Stream(PyRef<'py, Sends>),
}

impl Given<'_> {
    /// The same without Python objects.
    pub fn share(&self) -> model::Workload {
        match self {
            Given::Schedule(schedule) => model::Workload::Schedule(Arc::clone(&schedule.0)),
            Given::Traffic(traffic) => model::Workload::Traffic(Arc::clone(&traffic.0)),
            Given::Programs(programs) => model::Workload::Programs(Arc::clone(&programs.0)),
            Given::Stream(sends) => model::Workload::Stream(sends.sends()),
        }
    }
}
