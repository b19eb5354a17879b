//! Events of a record as columns.

use netloom_formats::recorded::{Event, Key};
use netloom_model::Collective;
use numpy::PyReadonlyArray1;

/// Events that are no collective, by number; a "sendrecv" is the row of what it sends and, next to it, a "recv"; collectives follow in the order of their names.
pub const KINDS: [&str; 9] = ["compute", "sleep", "send", "isend", "recv", "irecv", "wait", "waitall", "sendrecv"];

/// The columns of events.
pub struct Columns<'py> {
    pub kind: PyReadonlyArray1<'py, u8>,
    pub group: PyReadonlyArray1<'py, u32>,
    pub peer: PyReadonlyArray1<'py, i64>,
    pub tag: PyReadonlyArray1<'py, i64>,
    pub bytes: PyReadonlyArray1<'py, u64>,
    pub request: PyReadonlyArray1<'py, i64>,
    pub seconds: PyReadonlyArray1<'py, f64>,
}

impl Columns<'_> {
    /// Communicator, event and seconds of a row.
    pub fn event(&self, at: usize) -> Option<(u32, Event, f64)> {
        let kind = usize::from(*self.kind.as_array().get(at)?);
        let group = *self.group.as_array().get(at)?;
        let (peer, tag) = (*self.peer.as_array().get(at)?, *self.tag.as_array().get(at)?);
        let (bytes, request) = (*self.bytes.as_array().get(at)?, *self.request.as_array().get(at)?);
        let seconds = *self.seconds.as_array().get(at)?;
        let key: Key = (request, 0, 0);
        let starts = (request >= 0).then_some(key);
        let amount = (seconds.is_finite() && seconds >= 0.0).then_some(seconds)?;
        let event = match kind {
            0 => Event::Compute(amount),
            1 => Event::Sleep(amount),
            2 => Event::Send { to: peer, tag, bytes, starts: None },
            3 => Event::Send { to: peer, tag, bytes, starts: Some(key) },
            4 => Event::Receive { from: peer, tag, bytes, starts: None },
            5 => Event::Receive { from: peer, tag, bytes, starts: Some(key) },
            6 => Event::Wait(key),
            7 => Event::WaitAll,
            8 if self.kind.as_array().get(at + 1) == Some(&4) => match self.event(at + 1)? {
                (same, Event::Receive { from, tag: receive_tag, bytes: received, starts: None }, _)
                    if same == group =>
                {
                    Event::Exchange { to: peer, send_tag: tag, sent: bytes, from, receive_tag, received }
                }
                _ => return None,
            },
            number => {
                let collective = *Collective::ALL.get(number.checked_sub(KINDS.len())?)?;
                let root = if collective.is_rooted() { u32::try_from(peer).ok()? } else { 0 };
                Event::Collective { collective, bytes, root, flops: 0.0, starts }
            }
        };
        Some((group, event, if kind < 2 { 0.0 } else { amount }))
    }
}
