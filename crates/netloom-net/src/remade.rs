//! A network from a file whose generator the file names: its structure, if the generator makes just these links.

use netloom_model::{Call, Network, Outcome};

use crate::registry::{TOPOLOGIES, build};

/// `network` with the structure, and the failures, of what `call` makes; and a sentence if that is another network, which
/// leaves it as it is. Sizes are compared before anything is built. O(links log degree).
pub fn remade(network: Network, call: &str, switches: &[u32], cables: &[(u32, u32)]) -> (Network, Option<String>) {
    match known(&network, call, switches, cables) {
        Ok(Some(whole)) => (network.with_knowledge_of(&whole), None),
        Ok(None) | Err(_) => {
            let shown: String = call.chars().take(60).flat_map(char::escape_debug).collect();
            let sentence = format!(
                "the file says that {shown} made it, which makes other links: it is read as a graph, without the structure"
            );
            (network, Some(sentence))
        }
    }
}

fn known(network: &Network, call: &str, switches: &[u32], cables: &[(u32, u32)]) -> Outcome<Option<Network>> {
    let call = Call::parse(call)?;
    let (row, bound) = TOPOLOGIES.bind(&call)?;
    let expected = (row.expected)(&bound);
    let there = [network.switches(), network.endpoints()].map(u64::from);
    let links = u64::from(network.cables()) + cables.len() as u64;
    if [expected.switches, expected.endpoints] != there || expected.switch_links != links {
        return Ok(None);
    }
    let mut whole = build(&call)?;
    if !switches.is_empty() || !cables.is_empty() {
        let Some(links) = links_of(&whole, cables) else { return Ok(None) };
        whole = whole.without(&links, switches)?;
    }
    Ok(same(network, &whole).then_some(whole))
}

/// A link of each cable, parallel ones one after another.
fn links_of(network: &Network, cables: &[(u32, u32)]) -> Option<Vec<u32>> {
    let mut sorted = cables.to_vec();
    sorted.sort_unstable();
    let mut out: Vec<u32> = Vec::with_capacity(cables.len());
    for chunk in sorted.chunk_by(|x, y| x == y) {
        let (a, b) = chunk[0];
        if a.max(b) >= network.switches() {
            return None;
        }
        let first = network.out_links(a).start + network.neighbours(a).partition_point(|other| *other < b) as u32;
        let parallel = network.neighbours(a).iter().filter(|other| **other == b).count();
        if chunk.len() > parallel {
            return None;
        }
        out.extend(first..first + chunk.len() as u32);
    }
    Some(out)
}

/// True for the same links of the same kinds, parallel ones in any order.
fn same(a: &Network, b: &Network) -> bool {
    let kind = |network: &Network, link: u32| {
        let class = network.class(link);
        (class.name.clone(), class.bandwidth_bytes_per_s.to_bits(), class.latency_s.to_bits(), class.per)
    };
    let row = |network: &Network, links: std::ops::Range<u32>| {
        let mut kinds: Vec<_> = links.map(|link| kind(network, link)).collect();
        kinds.sort();
        kinds
    };
    let alike = |x: u32, y: u32| {
        let (x, y) = (a.class(x), b.class(y));
        x.bandwidth_bytes_per_s == y.bandwidth_bytes_per_s && x.latency_s == y.latency_s && x.per == y.per
    };
    if a.heads() != b.heads() || a.offsets() != b.offsets() || a.endpoint_switch() != b.endpoint_switch() {
        return false;
    }
    let mut at = 0;
    while at < a.switch_links() {
        let ends = (a.tails()[at as usize], a.heads()[at as usize]);
        let mut end = at + 1;
        while end < a.switch_links() && (a.tails()[end as usize], a.heads()[end as usize]) == ends {
            end += 1;
        }
        let one = end == at + 1 && alike(at, at) && a.class(at).name == b.class(at).name;
        if !one && row(a, at..end) != row(b, at..end) {
            return false;
        }
        at = end;
    }
    a.endpoints() == 0 || alike(a.injection_link(0), b.injection_link(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str) -> Network {
        build(&Call::parse(text).unwrap()).unwrap()
    }

    #[test]
    fn only_the_generator_that_makes_it_tells_its_structure() {
        let torus = made("torus(3,4)");
        let bare = || torus.without_structure().with_label("f");
        let (found, said) = remade(bare(), "torus(3,4)", &[], &[]);
        assert_eq!((found.structure(), found.label(), said), (torus.structure(), "f", None));
        for other in
            ["torus(4,3)", "torus(3,4,bandwidth=\"1 Gbps\")", "mesh(3,4)", "nothing(1)", "torus(3", "torus(9999,9999)"]
        {
            let (found, said) = remade(bare(), other, &[], &[]);
            assert_eq!(found, bare(), "{other}");
            assert!(said.unwrap().contains("makes other links"), "{other}");
        }
    }

    #[test]
    fn failures_are_found_again() {
        let whole = made("xgft(m=[2,2],w=[1,2],parallel=[1,3])");
        let damaged = whole.without(&[0, 4], &[3]).unwrap();
        let failed = damaged.failed().unwrap().clone();
        let (found, said) =
            remade(damaged.without_structure().with_label("f"), whole.label(), &failed.switches, &failed.cables);
        assert_eq!(said, None);
        assert_eq!((found.failed(), found.structure()), (damaged.failed(), damaged.structure()));
        for (switches, cables) in [(vec![99], failed.cables.clone()), (vec![], vec![(0, 1)]), (vec![3], vec![])] {
            let (_, said) = remade(damaged.without_structure(), whole.label(), &switches, &cables);
            assert!(said.is_some(), "{switches:?} {cables:?}");
        }
    }
}
