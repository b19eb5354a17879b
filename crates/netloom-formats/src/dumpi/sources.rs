//! Which message a receive from any source, or with any tag, took: the status of the call that completed it says.

use std::collections::HashMap;

use super::call::{Call, Status};

/// DUMPI's number for any source and for any tag. That of no process is below zero too.
pub const ANY: i64 = -1;

/// What came, of each receive of a rank that names no source or no tag, in their order; none where no status tells.
#[derive(Default)]
pub struct Sources {
    pub came: Vec<Option<Status>>,
    open: HashMap<i64, usize>,
    /// Receives that are started again and again.
    kept: HashMap<i64, bool>,
}

impl Sources {
    /// The next call.
    pub fn see(&mut self, call: &Call) {
        let open = |source: &str, tag: &str| call.get(source) == Some(ANY) || call.get(tag) == Some(ANY);
        match call.name {
            "Recv" if open("source", "tag") => self.came.push(real(call.statuses.first().copied())),
            "Sendrecv" | "Sendrecv_replace" if open("source", "recvtag") => {
                self.came.push(real(call.statuses.first().copied()));
            }
            "Irecv" => self.start(call.get("request"), open("source", "tag")),
            "Recv_init" => {
                call.get("request").into_iter().for_each(|request| {
                    self.kept.insert(request, open("source", "tag"));
                });
            }
            "Start" => self.start_kept(call.get("request")),
            "Startall" => call.list("requests").iter().for_each(|request| self.start_kept(Some(*request))),
            _ => {
                for (request, status) in call.completed() {
                    if let Some(at) = self.open.remove(&request) {
                        self.came[at] = real(status);
                    }
                }
            }
        }
    }

    fn start_kept(&mut self, request: Option<i64>) {
        let is_open = request.is_some_and(|request| self.kept.get(&request) == Some(&true));
        self.start(request, is_open);
    }

    fn start(&mut self, request: Option<i64>, is_open: bool) {
        let Some(request) = request else { return };
        if is_open {
            self.open.insert(request, self.came.len());
            self.came.push(None);
        } else {
            self.open.remove(&request);
        }
    }
}

/// Programs that ignore a status leave anything in it.
fn real(status: Option<Status>) -> Option<Status> {
    status.filter(|status| (0..i64::from(crate::recorded::MAX_RANKS)).contains(&status.source))
}
