//! The table of link loads by class.

use netloom_model::{Network, Table, table};

use crate::loads::Class;

table! {
    pub struct ClassRow: "classes",
        "loads of all switch links, of each class of them, and of injection and ejection" {
        class: String, "", "name of the class";
        links: u64, "", "links of the class";
        used: u64, "", "links that carry anything";
        total_bytes: f64, "B", "bytes on all of them";
        min_bytes: f64, "B", "least bytes on one of them";
        q1_bytes: f64, "B", "first quartile";
        median_bytes: f64, "B", "median";
        mean_bytes: f64, "B", "mean";
        q3_bytes: f64, "B", "third quartile";
        max_bytes: f64, "B", "most bytes on one of them";
        max_s: f64, "s", "longest time that the bytes of a link take";
        mean_s: f64, "s", "mean of these times";
    }
}

pub fn table(classes: Vec<Class<'_>>) -> Table {
    let known = classes.into_iter().filter_map(|class| class.six.map(|six| (class, six)));
    Table::of(known.map(|(class, six)| ClassRow {
        class: class.name.to_string(),
        links: six.links,
        used: six.used,
        total_bytes: six.total,
        min_bytes: six.minimum,
        q1_bytes: six.first_quartile,
        median_bytes: six.median,
        mean_bytes: six.mean,
        q3_bytes: six.third_quartile,
        max_bytes: six.maximum,
        max_s: class.max_s,
        mean_s: class.mean_s,
    }))
}

/// Where a directed link of the network begins and ends, as tables name it. Links are numbered between switches, then of
/// injection, then of ejection.
pub fn ends_of(network: &Network, link: u32) -> (String, String) {
    let endpoint = |link: u32| link.checked_sub(network.switch_links()).map(|at| at % network.endpoints().max(1));
    match endpoint(link) {
        None => {
            let at = |ends: &[u32]| network.switch_name(ends[link as usize]);
            (at(network.tails()), at(network.heads()))
        }
        Some(endpoint) => {
            let (end, switch) =
                (format!("endpoint {endpoint}"), network.switch_name(network.endpoint_switch()[endpoint as usize]));
            if link < network.ejection_link(0) { (end, switch) } else { (switch, end) }
        }
    }
}
