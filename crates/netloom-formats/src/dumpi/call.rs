//! A recorded call of MPI with its arguments.

/// What came of a receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    pub source: i64,
    /// Absent before version 0.6.3.
    pub tag: Option<i64>,
}

/// One call; its memory is used again for the next one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Call {
    /// Without `MPI_`.
    pub name: &'static str,
    /// Its number in a binary file, its line in a text.
    pub at: u64,
    pub thread: u16,
    /// Nanoseconds of its begin and its end, if they are recorded.
    pub time: Option<(i64, i64)>,
    fields: Vec<(&'static str, usize, usize)>,
    numbers: Vec<i64>,
    pub statuses: Vec<Status>,
}

impl Call {
    pub fn start(&mut self, name: &'static str, at: u64) {
        (self.name, self.at, self.thread, self.time) = (name, at, 0, None);
        self.fields.clear();
        self.numbers.clear();
        self.statuses.clear();
    }

    /// Adds an argument with its numbers.
    pub fn put(&mut self, name: &'static str, numbers: impl IntoIterator<Item = i64>) {
        let first = self.numbers.len();
        self.numbers.extend(numbers);
        self.fields.push((name, first, self.numbers.len()));
    }

    /// Adds numbers to the last argument.
    pub fn put_more(&mut self, numbers: impl IntoIterator<Item = i64>) {
        self.numbers.extend(numbers);
        let end = self.numbers.len();
        self.fields.iter_mut().last().iter_mut().for_each(|last| last.2 = end);
    }

    /// The numbers of an argument; none where it is not there.
    pub fn list(&self, name: &str) -> &[i64] {
        let found = self.fields.iter().find(|(own, ..)| *own == name);
        found.and_then(|(_, first, end)| self.numbers.get(*first..*end)).unwrap_or(&[])
    }

    /// The number of an argument.
    pub fn get(&self, name: &str) -> Option<i64> {
        self.list(name).first().copied()
    }

    /// True where a rank is the root of a call whose arguments differ there.
    pub fn is_root(&self) -> bool {
        let own = self.get("commrank").or_else(|| self.get("oldcommrank"));
        own.is_some() && own == self.get("root")
    }

    /// The requests that it completes, each with what came of it.
    pub fn completed(&self) -> Vec<(i64, Option<Status>)> {
        let requests = self.list("requests");
        let set = self.get("flag") != Some(0);
        let one = |index: i64, status: usize| {
            let request = usize::try_from(index).ok().and_then(|at| requests.get(at))?;
            Some((*request, self.statuses.get(status).copied()))
        };
        match self.name {
            "Wait" | "Test" if set => {
                self.get("request").iter().map(|request| (*request, self.statuses.first().copied())).collect()
            }
            "Waitall" | "Testall" if set => (0..requests.len()).filter_map(|at| one(at as i64, at)).collect(),
            "Waitany" | "Testany" if set => self.get("index").and_then(|at| one(at, 0)).into_iter().collect(),
            "Waitsome" | "Testsome" => {
                let indices = self.list("indices").iter().enumerate();
                indices.filter_map(|(at, index)| one(*index, at)).collect()
            }
            _ => Vec::new(),
        }
    }
}
