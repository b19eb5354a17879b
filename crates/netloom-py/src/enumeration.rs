//! Orders of the levels of a hierarchy.

use netloom_mapping::enumeration::words::{Names, open_mpi, slurm};
use netloom_mapping::enumeration::{Ask, Entry, WantedOrders};
use netloom_model::Levels;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::cross;
use crate::fault::OrRaise;

/// A hierarchy, its communicators and, if only some run, how many cores are chosen.
#[pyclass(frozen, module = "netloom._core")]
pub struct Enumeration {
    ask: Ask,
    names: Names,
}

#[pymethods]
impl Enumeration {
    /// Sizes outermost first; `names` are those that launchers use.
    #[new]
    #[pyo3(signature = (levels, communicator = None, cores = None, names = None))]
    fn new(
        py: Python<'_>,
        levels: Vec<i64>,
        communicator: Option<i64>,
        cores: Option<i64>,
        names: Option<Vec<String>>,
    ) -> PyResult<Enumeration> {
        let levels = Levels::new(&levels, "levels").or_raise(py)?;
        let names = Names::new(names.as_deref(), levels.depth()).or_raise(py)?;
        Ok(Enumeration { ask: Ask::new(levels, communicator, cores).or_raise(py)?, names })
    }

    #[getter]
    fn count(&self) -> u32 {
        self.ask.levels.count()
    }
    #[getter]
    fn communicator(&self) -> u32 {
        self.ask.communicator
    }
    #[getter]
    fn names(&self) -> Vec<String> {
        self.names.all().to_vec()
    }

    /// All orders, those given, or a sample, and what each does.
    #[pyo3(signature = (orders = None, sample = None, seed = 0))]
    fn entries<'py>(
        &self,
        py: Python<'py>,
        orders: Option<Vec<Vec<i64>>>,
        sample: Option<i64>,
        seed: u64,
    ) -> PyResult<Bound<'py, PyList>> {
        let wanted = match (orders, sample) {
            (Some(lists), _) => WantedOrders::These(lists),
            (None, Some(count)) => WantedOrders::Sample(count, seed),
            (None, None) => WantedOrders::All,
        };
        let found = py.detach(|| self.ask.entries(&wanted)).or_raise(py)?;
        let rows = PyList::empty(py);
        for entry in &found {
            rows.append(self.row(py, entry, &found)?)?;
        }
        Ok(rows)
    }

    /// The core of each of the first `ranks` ranks.
    fn first<'py>(&self, py: Python<'py>, order: Vec<i64>, ranks: u32) -> PyResult<Bound<'py, PyAny>> {
        let order = self.ask.levels.order(&order, "order").or_raise(py)?;
        cross::column(py, &self.ask.first(&order, ranks.min(self.ask.levels.count())))
    }

    /// The new rank of each old one.
    fn ranks<'py>(&self, py: Python<'py>, order: Vec<i64>) -> PyResult<Bound<'py, PyAny>> {
        let order = self.ask.levels.order(&order, "order").or_raise(py)?;
        cross::column(py, &self.ask.levels.new_of_old(&order))
    }
}

impl Enumeration {
    fn row<'py>(&self, py: Python<'py>, entry: &Entry, all: &[Entry]) -> PyResult<Bound<'py, PyDict>> {
        let order_of = |at: Option<usize>| at.map(|at| all[at].order.clone());
        let whole = self.ask.cores.is_none();
        let row = PyDict::new(py);
        row.set_item("order", &entry.order)?;
        row.set_item("ring_cost", entry.ring_cost)?;
        row.set_item("pairs_percent", &entry.pairs_percent)?;
        row.set_item("same_as", order_of(entry.same_as))?;
        // Options that distribute tasks are known for full nodes.
        let (levels, names, order) = (&self.ask.levels, &self.names, &entry.order);
        row.set_item("slurm_distribution", slurm(levels, names, order).filter(|_| whole))?;
        row.set_item("open_mpi_options", open_mpi(levels, names, order).filter(|_| whole))?;
        if let Some(cores) = self.ask.cores {
            row.set_item("map_cpu", self.ask.first(&entry.order, cores))?;
            row.set_item("same_cores_as", order_of(entry.same_cores_as))?;
            row.set_item("chosen_levels", &entry.chosen)?;
        }
        Ok(row)
    }
}
