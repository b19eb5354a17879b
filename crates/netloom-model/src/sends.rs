//! Traffic as a stream: what each rank sends, produced when asked and never held as a whole.

use crate::traffic::Traffic;

/// Who sends how much to whom, rank by rank. The same rank always gives the same messages in the same order, whoever asks
/// and on any thread: 8.8 million ranks with 127 messages each need no list.
pub trait Sends: Send + Sync {
    /// The call that made it.
    fn label(&self) -> &str;

    fn ranks(&self) -> u32;

    /// Calls `visit(destination, messages, bytes of all these messages)` for what `rank` sends, never to itself.
    /// Destinations may repeat.
    fn for_each(&self, rank: u32, visit: &mut dyn FnMut(u32, u64, u64));
}

impl Sends for Traffic {
    fn label(&self) -> &str {
        &self.label
    }
    fn ranks(&self) -> u32 {
        self.ranks
    }
    /// O(log flows + flows of the rank).
    fn for_each(&self, rank: u32, visit: &mut dyn FnMut(u32, u64, u64)) {
        let flows = self.flows();
        let first = flows.partition_point(|f| f.src < rank);
        for flow in flows[first..].iter().take_while(|f| f.src == rank) {
            visit(flow.dst, flow.messages, flow.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_streams_its_own_flows() {
        let rows = [[0, 1, 2, 8], [2, 0, 1, 4], [2, 1, 1, 5]];
        let traffic = Traffic::from_rows("t", 4, &rows).unwrap();
        let mut seen = Vec::new();
        for rank in 0..traffic.ranks {
            traffic.for_each(rank, &mut |to, messages, bytes| {
                seen.push([i64::from(rank), i64::from(to), messages as i64, bytes as i64]);
            });
        }
        assert_eq!(seen, rows);
    }
}
