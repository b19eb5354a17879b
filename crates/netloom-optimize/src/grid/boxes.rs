//! Slots as places of a box: coordinates of the switch, and the endpoint on it as one more axis of no length.

use std::collections::{BTreeSet, HashMap};

use super::digits::Layout;
use crate::prepared::Prepared;

/// Most shapes of boxes that are tried in a free choice.
const BOX_LIMIT: usize = 64;

/// The places that a box may take.
pub struct Host {
    /// Per axis the coordinates that occur, ascending; the last axis counts endpoints on a switch.
    axes: Vec<Vec<u32>>,
    /// Slot at each place of the whole box, row-major over `axes`.
    slot_at: Vec<u32>,
    site_of_slot: Vec<u32>,
}

impl Host {
    /// The box that the slots form, if they do.
    pub fn of(prepared: &Prepared<'_>) -> Option<Host> {
        let network = prepared.problem.network;
        let dims = &network.structure().grid.as_ref()?.dims;
        let coordinates = |endpoint: u32| -> Option<Vec<u32>> {
            let switch = network.endpoint_switch()[endpoint as usize];
            let mut rest = switch;
            let mut at = vec![0; dims.len() + 1];
            for (axis, &extent) in dims.iter().enumerate().rev() {
                at[axis] = rest % extent.max(1);
                rest /= extent.max(1);
            }
            at[dims.len()] = network.endpoints_of(switch).binary_search(&endpoint).ok()? as u32;
            (rest == 0).then_some(at)
        };
        let all: Vec<Vec<u32>> = prepared.endpoints.iter().map(|&e| coordinates(e)).collect::<Option<_>>()?;
        let occurring = |axis: usize| all.iter().map(|at| at[axis]).collect::<BTreeSet<u32>>().into_iter().collect();
        let axes: Vec<Vec<u32>> = (0..=dims.len()).map(occurring).collect();
        let places: u64 = axes.iter().map(|a| a.len() as u64).product();
        if places != all.len() as u64 {
            return None;
        }
        let index: Vec<HashMap<u32, usize>> =
            axes.iter().map(|a| a.iter().enumerate().map(|(i, c)| (*c, i)).collect()).collect();
        let mut slot_at = vec![u32::MAX; all.len()];
        for (slot, at) in all.iter().enumerate() {
            let place = at.iter().enumerate().fold(0, |p, (axis, c)| p * axes[axis].len() + index[axis][c]);
            slot_at[place] = slot as u32;
        }
        Some(Host { axes, slot_at, site_of_slot: prepared.site_of_slot.clone() })
    }

    /// Extents of boxes with `ranks` places: the whole, or, where there is more room, all that fit, the most cubic first.
    pub fn boxes(&self, ranks: u64) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        let mut extents = Vec::new();
        self.extend(ranks, &mut extents, &mut found);
        found.sort_by_key(|b: &Vec<u32>| (b.iter().map(|e| u64::from(*e)).sum::<u64>(), b.clone()));
        found.truncate(BOX_LIMIT);
        found
    }

    fn extend(&self, left: u64, extents: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
        let Some(axis) = self.axes.get(extents.len()) else {
            if left == 1 {
                found.push(extents.clone());
            }
            return;
        };
        // A search among all divisors, bounded for grids of many axes.
        for extent in (1..=axis.len() as u64).filter(|e| left.is_multiple_of(*e)) {
            if found.len() >= 64 * BOX_LIMIT {
                return;
            }
            extents.push(extent as u32);
            self.extend(left / extent, extents, found);
            extents.pop();
        }
    }

    /// Slot of every rank under a layout.
    pub fn slots(&self, layout: &Layout) -> Vec<u32> {
        let mut places = Vec::new();
        let strides: Vec<u32> = self.strides();
        layout.places(&strides, &mut places);
        places.iter().map(|&p| self.slot_at[p as usize]).collect()
    }

    /// Site of every rank under a layout.
    pub fn sites(&self, layout: &Layout, out: &mut Vec<u32>) {
        layout.places(&self.strides(), out);
        for place in out {
            *place = self.site_of_slot[self.slot_at[*place as usize] as usize];
        }
    }

    fn strides(&self) -> Vec<u32> {
        let mut strides = vec![1; self.axes.len()];
        for axis in (0..self.axes.len().saturating_sub(1)).rev() {
            strides[axis] = strides[axis + 1] * self.axes[axis + 1].len() as u32;
        }
        strides
    }
}
