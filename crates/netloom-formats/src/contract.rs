//! What every format owes: rows that are complete, round trips, and that any bytes are read or refused.

use std::collections::HashSet;

use netloom_model::{Bound, Call, Mapping, Network, Outcome};
use proptest::prelude::*;

use crate::fixtures::{any_network, assert_same, ends, fat_tree_4x2, line, links, mesh_2x3x2, tree_3x2};
use crate::registry::{FORMATS, Holds, Reader, Writer};
use crate::{codes, detect, find_format, read_mapping, read_network, write_mapping, write_network};

fn call(text: &str) -> Call {
    Call::parse(text).unwrap()
}

fn again(network: &Network, format: &str) -> Outcome<Network> {
    let bytes = write_network(network, &call(format))?;
    Ok(read_network(&bytes, "any", Some(&call(format)))?.network)
}

#[test]
fn rows_are_complete() {
    let mut names = HashSet::new();
    for row in FORMATS.rows {
        for name in row.names() {
            assert!(names.insert((name, row.holds())), "{name} twice");
        }
        assert!(row.read.is_some() || row.write.is_some());
        assert!(!row.summary.is_empty() && !row.source.is_empty() && !row.restrictions.is_empty());
        assert!(!row.extensions.is_empty());
        let example = call(row.example);
        assert_eq!(find_format(&example.name).unwrap().name, row.name);
        Bound::bind(row.params, &example).unwrap();
    }
    assert_eq!(find_format("slurm").unwrap().holds(), Holds::Network);
    assert_eq!(find_format("graphlm").err().unwrap().0[0].code, "NL-A002");
}

#[test]
fn codes_are_used_once_and_in_order() {
    let all: Vec<_> = codes::ALL.iter().map(|c| c.code).collect();
    let want: Vec<_> = (1..=all.len()).map(|i| format!("NL-F{i:03}")).collect();
    assert_eq!(all, want);
}

/// A network that each format can hold.
fn sample(name: &str) -> Network {
    match name {
        "slurm" | "simgrid" => tree_3x2(),
        _ => line(5),
    }
}

#[test]
fn what_is_written_is_recognised_and_read() {
    for row in FORMATS.rows.iter().filter(|r| r.holds() == Holds::Network) {
        let network = sample(row.name);
        let bytes = write_network(&network, &Call::bare(row.name)).unwrap();
        for name in [format!("x.{}", row.extensions[0]), "without-ending".into()] {
            assert_eq!(detect(&name, &bytes).unwrap().name, row.name, "{name}");
        }
        let read = read_network(&bytes, "x", None).unwrap();
        assert_eq!(read.network.switches(), network.switches(), "{}", row.name);
        let twice = write_network(&read.network, &Call::bare(row.name)).unwrap();
        let thrice = again(&read.network, row.name).unwrap();
        assert_eq!(twice, write_network(&thrice, &Call::bare(row.name)).unwrap(), "{}", row.name);
    }
}

#[test]
fn a_mapping_is_read_as_it_was_written() {
    let network = mesh_2x3x2();
    let order: Vec<u32> = (0..24).map(|r| (r * 7) % 24).collect();
    let mapping = Mapping::new(order, &network).unwrap();
    let slurm = |name| write_mapping(&network, &mapping, &call(name)).unwrap();
    assert_eq!(slurm("slurm"), slurm("slurm-arbitrary"));
    for row in FORMATS.rows.iter().filter(|r| r.holds() == Holds::Mapping) {
        let bytes = write_mapping(&network, &mapping, &Call::bare(row.name)).unwrap();
        if let Some(Reader::Mapping(_)) = row.read {
            let read = read_mapping(&bytes, "x", &network, &Call::bare(row.name)).unwrap();
            assert_eq!(read, mapping, "{}", row.name);
        }
    }
}

#[test]
fn directions_that_do_not_exist_are_refused_with_names() {
    let network = line(3);
    let mapping = Mapping::new(vec![0, 1], &network).unwrap();
    let messages = [
        read_network(b"", "f", Some(&call("rankfile"))).unwrap_err().to_string(),
        read_mapping(b"", "f", &network, &call("graphml")).unwrap_err().to_string(),
        read_mapping(b"", "f", &network, &call("cray")).unwrap_err().to_string(),
        write_network(&network, &call("csv")).unwrap_err().to_string(),
        write_mapping(&network, &mapping, &call("graphml")).unwrap_err().to_string(),
    ];
    for message in messages {
        assert!(message.starts_with("NL-F017") && message.contains("use one of"), "{message}");
    }
    assert_eq!(read_network(b"\x7fELF", "f", None).unwrap_err().0[0].code, "NL-F016");
}

/// One valid file per network format, as seeds of mutation.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let mut out: Vec<(&str, Vec<u8>)> = FORMATS
        .rows
        .iter()
        .filter(|r| matches!(r.write, Some(Writer::Network(_))))
        .map(|r| (r.name, write_network(&sample(r.name), &Call::bare(r.name)).unwrap()))
        .collect();
    out.push(("graph-golf", write_network(&line(3), &call("graph-golf(form=host-switch)")).unwrap()));
    out.push(("simgrid", crate::simgrid::tests::CLUSTERS.as_bytes().to_vec()));
    out.push(("simgrid", crate::simgrid::tests::SHARED_LINKS.as_bytes().to_vec()));
    out
}

fn read_or_refuse(format: &str, bytes: &[u8]) {
    match read_network(bytes, "f", Some(&Call::bare(format))) {
        Ok(read) => assert!(read.network.switches() > 0),
        Err(faults) => {
            assert!(!faults.is_empty());
            for fault in &faults.0 {
                assert!(fault.code.starts_with("NL-"), "{fault}");
                assert!(!fault.to_string().lines().next().unwrap().is_empty());
            }
        }
    }
}

#[test]
fn a_file_cut_at_any_byte_is_read_or_refused() {
    for (format, bytes) in seeds() {
        for end in 0..bytes.len() {
            read_or_refuse(format, &bytes[..end]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn complete_formats_keep_everything(network in any_network(true)) {
        let unique: HashSet<String> = (0..network.switches()).map(|s| network.switch_name(s)).collect();
        for format in ["graphml(p=0)", "node-link(p=0)", "node-link(p=0,list=links)"] {
            match again(&network, format) {
                Ok(read) => assert_same(&network, &read),
                Err(faults) => {
                    prop_assert_eq!(faults.0[0].code, "NL-F006");
                    prop_assert!(unique.len() < network.switches() as usize);
                }
            }
        }
    }

    #[test]
    fn edge_lists_keep_the_graph(network in any_network(true)) {
        let read = again(&network, "graph-golf(p=0,form=edges)").unwrap();
        prop_assert_eq!(ends(&network), ends(&read));
        let read = again(&network, "graph-golf(p=0,form=host-switch)").unwrap();
        prop_assert_eq!(ends(&network), ends(&read));
        prop_assert_eq!(network.endpoint_switch(), read.endpoint_switch());
    }

    #[test]
    fn booksim_keeps_the_graph_and_whole_cycles(network in any_network(false)) {
        let read = again(&network, "booksim(p=0,cycle=\"1 ps\")").unwrap();
        prop_assert_eq!(ends(&network), ends(&read));
        prop_assert_eq!(network.endpoint_switch(), read.endpoint_switch());
        for l in 0..network.switch_links() {
            let (a, b) = (network.class(l).latency_s, read.class(l).latency_s);
            prop_assert!((a - b).abs() <= 1.1e-12, "{} {}", a, b);
        }
    }

    #[test]
    fn simgrid_keeps_links_and_endpoints(network in any_network(false)) {
        let read = match again(&network, "simgrid(p=0)") {
            Ok(read) => read,
            Err(faults) => {
                // Two switches of one name, nothing else.
                prop_assert_eq!(faults.0[0].code, "NL-F006");
                return Ok(());
            }
        };
        let strip = |n: &Network| links(n).into_iter().map(|l| (l.0, l.1, l.3, l.4)).collect::<Vec<_>>();
        prop_assert_eq!(strip(&network), strip(&read));
        prop_assert_eq!(network.endpoint_switch(), read.endpoint_switch());
    }

    #[test]
    fn random_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for row in FORMATS.rows.iter().filter(|r| r.holds() == Holds::Network) {
            read_or_refuse(row.name, &bytes);
        }
        let _ = detect("x", &bytes);
    }

    #[test]
    fn changed_files_are_read_or_refused(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0usize..4, any::<u8>(), any::<prop::sample::Index>()), 1..6),
    ) {
        let seeds = seeds();
        let (format, mut bytes) = seeds[which.index(seeds.len())].clone();
        for (at, kind, value, other) in changes {
            let i = at.index(bytes.len().max(1));
            match kind {
                0 if !bytes.is_empty() => bytes[i] = value,
                1 if !bytes.is_empty() => { bytes.remove(i); }
                2 => bytes.insert(i.min(bytes.len()), b"0123456789-,[]<>\"=/ \n"[usize::from(value) % 21]),
                _ if !bytes.is_empty() => {
                    let j = other.index(bytes.len());
                    let (low, high) = (i.min(j), i.max(j).min(i.min(j) + 40));
                    let piece = bytes[low..high].to_vec();
                    bytes.splice(low..low, piece);
                }
                _ => {}
            }
        }
        read_or_refuse(format, &bytes);
    }

    #[test]
    fn mapping_files_of_any_text_are_read_or_refused(text in "[a-z0-9= :,.\\n-]{0,80}") {
        let network = mesh_2x3x2();
        for row in FORMATS.rows.iter().filter(|r| matches!(r.read, Some(Reader::Mapping(_)))) {
            let _ = read_mapping(text.as_bytes(), "f", &network, &Call::bare(row.name));
        }
    }
}

#[test]
fn the_fat_tree_keeps_its_parallel_cables_where_the_format_has_them() {
    let network = fat_tree_4x2();
    assert_same(&network, &again(&network, "graphml").unwrap());
    let summed = again(&network, "simgrid").unwrap();
    assert_eq!(summed.cables(), 8);
    assert_eq!(summed.class(0).bandwidth_bytes_per_s, 50e9);
    assert_eq!(again(&network, "booksim").unwrap_err().0[0].code, "NL-F018");
}

#[test]
fn the_reference_page_has_every_format_and_parameter() {
    let page = include_str!("../../../docs/reference/formats.md");
    for row in FORMATS.rows {
        assert!(page.contains(&format!("| `{}` |", row.name)), "{}", row.name);
        for param in row.params {
            assert!(page.contains(&format!("`{}`", param.name)), "{}.{}", row.name, param.name);
        }
    }
}
