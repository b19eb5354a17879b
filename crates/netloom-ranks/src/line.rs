//! Programs as they run: where a rank is, and how often its loops still come.

use netloom_model::Op;

/// Position of a rank in its program.
#[derive(Clone, Debug, Default)]
pub struct Line {
    pub at: usize,
    /// Iterations begun after others of their loop.
    pub begun: u32,
    /// The open loops, outermost first.
    pub loops: Vec<Loop>,
    /// Amounts of the rank that it has taken.
    pub taken: usize,
}

/// A loop that is running.
#[derive(Clone, Copy, Debug)]
pub struct Loop {
    /// First action of the body, and its end.
    pub first: usize,
    pub end: usize,
    /// Times left, with this one.
    pub left: u32,
}

impl Line {
    /// At an action, in no loop.
    pub fn from(at: usize) -> Line {
        Line { at, ..Line::default() }
    }

    /// Adds where it stands, but for the times left.
    pub fn put(&self, words: &mut Vec<u64>) {
        words.extend([self.at, self.loops.len()].map(|word| word as u64));
        words.extend(self.loops.iter().flat_map(|open| [open.first as u64, open.end as u64]));
    }
}

/// The next action of a program, loops unrolled as they run.
pub fn next_op(body: &[Op], line: &mut Line) -> Option<Op> {
    loop {
        if let Some(open) = line.loops.last_mut()
            && line.at == open.end
        {
            if open.left > 1 {
                (line.at, open.left) = (open.first, open.left - 1);
                line.begun = line.begun.wrapping_add(1);
            } else {
                line.loops.pop();
            }
            continue;
        }
        let op = *body.get(line.at)?;
        line.at += 1;
        let Op::Repeat { ops, times } = op else { return Some(op) };
        let end = line.at + ops as usize;
        if times == 0 || ops == 0 {
            line.at = end;
        } else {
            line.loops.push(Loop { first: line.at, end, left: times });
        }
    }
}
