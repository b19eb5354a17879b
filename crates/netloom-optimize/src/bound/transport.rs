//! The transport problem: cheapest way to send every supply to demands of limited size.

/// Minimum cost of sending all of `supply[i]` to columns `j` with at most `demand[j]` each, at `cost[i][j]` per unit.
/// Demands must suffice in all. Successive shortest paths with potentials (Edmonds and Karp 1972): O(paths × rows ×
/// columns).
pub fn minimum(cost: &[Vec<i64>], supply: &[i64], demand: &[i64]) -> i64 {
    let (rows, columns) = (supply.len(), demand.len());
    let mut plan = Plan {
        cost,
        flow: vec![vec![0; columns]; rows],
        spare: demand.to_vec(),
        row_price: cost.iter().map(|r| r.iter().min().copied().unwrap_or(0)).collect(),
        column_price: vec![0; columns],
    };
    for (row, &amount) in supply.iter().enumerate() {
        let mut left = amount;
        while left > 0 {
            let sent = plan.send(row, left);
            if sent == 0 {
                break; // demands did not suffice
            }
            left -= sent;
        }
    }
    plan.flow.iter().zip(cost).map(|(f, c)| f.iter().zip(c).map(|(f, c)| f * c).sum::<i64>()).sum()
}

struct Plan<'a> {
    cost: &'a [Vec<i64>],
    flow: Vec<Vec<i64>>,
    spare: Vec<i64>,
    /// `cost - row_price - column_price >= 0`, and 0 where something flows.
    row_price: Vec<i64>,
    column_price: Vec<i64>,
}

const FAR: i64 = i64::MAX;

impl Plan<'_> {
    fn reduced(&self, row: usize, column: usize) -> i64 {
        self.cost[row][column] - self.row_price[row] - self.column_price[column]
    }

    /// Sends up to `most` from `source` along one cheapest path; what was sent.
    fn send(&mut self, source: usize, most: i64) -> i64 {
        let columns = self.spare.len();
        let mut to_column = vec![(FAR, usize::MAX); columns]; // (length, row before it)
        let mut done = vec![false; columns];
        let mut to_row = vec![(FAR, usize::MAX); self.cost.len()]; // (length, column before it)
        to_row[source] = (0, usize::MAX);
        let mut fresh = vec![source];
        let end = loop {
            for row in fresh.drain(..) {
                for (column, to) in to_column.iter_mut().enumerate() {
                    let length = to_row[row].0 + self.reduced(row, column);
                    if length < to.0 {
                        *to = (length, row);
                    }
                }
            }
            let next = (0..columns).filter(|&c| !done[c] && to_column[c].0 < FAR).min_by_key(|&c| to_column[c].0);
            let Some(column) = next else { return 0 };
            done[column] = true;
            if self.spare[column] > 0 {
                break column;
            }
            for (row, to) in to_row.iter_mut().enumerate() {
                if self.flow[row][column] > 0 && to.0 == FAR {
                    *to = (to_column[column].0, column);
                    fresh.push(row);
                }
            }
        };
        self.reprice(&to_row, &to_column, &done, to_column[end].0);
        self.augment(source, end, most, &to_row, &to_column)
    }

    /// Keeps all reduced costs non-negative, and those on the path zero.
    fn reprice(&mut self, to_row: &[(i64, usize)], to_column: &[(i64, usize)], done: &[bool], length: i64) {
        for (row, to) in to_row.iter().enumerate().filter(|(_, to)| to.0 < FAR) {
            self.row_price[row] += length - to.0;
        }
        for (column, to) in to_column.iter().enumerate().filter(|(c, _)| done[*c]) {
            self.column_price[column] -= length - to.0;
        }
    }

    fn augment(
        &mut self,
        source: usize,
        end: usize,
        most: i64,
        to_row: &[(i64, usize)],
        to_column: &[(i64, usize)],
    ) -> i64 {
        let mut amount = most.min(self.spare[end]);
        let mut column = end;
        loop {
            let row = to_column[column].1;
            if row == source {
                break;
            }
            let back = to_row[row].1;
            amount = amount.min(self.flow[row][back]);
            column = back;
        }
        let mut column = end;
        self.spare[end] -= amount;
        loop {
            let row = to_column[column].1;
            self.flow[row][column] += amount;
            if row == source {
                return amount;
            }
            column = to_row[row].1;
            self.flow[row][column] -= amount;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use netloom_model::Stream;

    /// Tries every assignment of unit supplies.
    fn exhaustive(cost: &[Vec<i64>], rows: &[usize], room: &mut [i64]) -> i64 {
        let Some((&row, rest)) = rows.split_first() else { return 0 };
        let mut best = i64::MAX;
        for column in 0..room.len() {
            if room[column] > 0 {
                room[column] -= 1;
                best = best.min(cost[row][column].saturating_add(exhaustive(cost, rest, room)));
                room[column] += 1;
            }
        }
        best
    }

    #[test]
    fn agrees_with_exhaustive_search() {
        let mut stream = Stream::new(1, "transport");
        for case in 0..300 {
            let (rows, columns) = (1 + stream.below(4) as usize, 1 + stream.below(4) as usize);
            let cost: Vec<Vec<i64>> =
                (0..rows).map(|_| (0..columns).map(|_| i64::from(stream.below(9))).collect()).collect();
            let supply: Vec<i64> = (0..rows).map(|_| i64::from(stream.below(3))).collect();
            let mut demand: Vec<i64> = (0..columns).map(|_| i64::from(stream.below(4))).collect();
            demand[0] += (supply.iter().sum::<i64>() - demand.iter().sum::<i64>()).max(0);
            let units: Vec<usize> = (0..rows).flat_map(|r| std::iter::repeat_n(r, supply[r] as usize)).collect();
            let best = exhaustive(&cost, &units, &mut demand.clone());
            assert_eq!(minimum(&cost, &supply, &demand), best, "case {case}");
        }
    }
}
