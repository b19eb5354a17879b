//! The contract of every format: complete rows, round trips, and any bytes are read or refused.

use std::collections::HashSet;

use netloom_model::{Call, Catalogue, Mapping, Network, Outcome, Row};
use proptest::prelude::*;

use crate::files::find;
use crate::fixtures::{any_network, assert_same, ends, fat_tree_4x2, line, links, mesh_2x3x2, tree_3x2};
use crate::registry::FORMATS;
use crate::row::{Format, Held};
use crate::{codes, detect, mapping, network, traffic};

fn call(text: &str) -> Call {
    Call::parse(text).unwrap()
}

fn again(network: &Network, format: &str) -> Outcome<Network> {
    let bytes = crate::write(network, &call(format), ())?;
    Ok(crate::read::<Network>(&bytes, "any", Some(&call(format)), ())?.network)
}

fn complete<H: Held>(rows: &[Row<Format<H>>]) {
    let mut names = HashSet::new();
    for row in rows {
        assert!(row.names().all(|name| names.insert(name)), "{} twice", row.name);
        assert!(row.read.is_some() || row.write.is_some(), "{}", row.name);
        assert!(!row.summary.is_empty() && !row.source.is_empty() && !row.restrictions.is_empty());
        assert!(!row.extensions.is_empty() || row.read.is_none());
        let example = call(row.example);
        assert_eq!(find::<H>(&example.name).unwrap().name, row.name);
        row.bind(&example).unwrap();
    }
}

#[test]
fn rows_are_complete() {
    complete(network::FORMATS.rows);
    complete(mapping::FORMATS.rows);
    complete(traffic::FORMATS.rows);
    assert_eq!(FORMATS.entry("slurm").unwrap().name, "slurm");
    assert_eq!(find::<Mapping>("slurm").unwrap().name, "slurm-arbitrary");
    assert_eq!(find::<Network>("graphlm").err().unwrap().0[0].code, "NL-A002");
}

#[test]
fn codes_are_used_once_and_in_order() {
    let all: Vec<_> = codes::ALL.iter().map(|c| c.code).collect();
    let want: Vec<_> = (1..=all.len()).map(|i| format!("NL-F{i:03}")).collect();
    assert_eq!(all, want);
}

/// For each format, a network that it can hold.
fn sample(name: &str) -> Network {
    match name {
        "slurm" | "slurm-yaml" | "simgrid" => tree_3x2(),
        _ => line(5),
    }
}

#[test]
fn what_is_written_is_recognised_and_read() {
    for row in network::FORMATS.rows.iter().filter(|row| row.read.is_some()) {
        let network = sample(row.name);
        let bytes = crate::write(&network, &Call::bare(row.name), ()).unwrap();
        for name in [format!("x.{}", row.extensions[0]), "without-ending".into()] {
            assert_eq!(detect::<Network>(&name, &bytes).unwrap().name, row.name, "{name}");
        }
        let read = crate::read::<Network>(&bytes, "x", None, ()).unwrap();
        assert_eq!(read.network.switches(), network.switches(), "{}", row.name);
        let twice = crate::write(&read.network, &Call::bare(row.name), ()).unwrap();
        let thrice = again(&read.network, row.name).unwrap();
        assert_eq!(twice, crate::write(&thrice, &Call::bare(row.name), ()).unwrap(), "{}", row.name);
    }
}

#[test]
fn a_mapping_is_read_as_it_was_written() {
    let network = mesh_2x3x2();
    let order: Vec<u32> = (0..24).map(|r| (r * 7) % 24).collect();
    let mapping = Mapping::new(order, &network).unwrap();
    let slurm = |name| crate::write(&mapping, &call(name), &network).unwrap();
    assert_eq!(slurm("slurm"), slurm("slurm-arbitrary"));
    for row in mapping::FORMATS.rows.iter().filter(|row| row.read.is_some()) {
        let bytes = crate::write(&mapping, &Call::bare(row.name), &network).unwrap();
        let read = |format: Option<&Call>| crate::read::<Mapping>(&bytes, "x", format, &network).unwrap();
        assert_eq!(read(Some(&Call::bare(row.name))), mapping, "{}", row.name);
        assert_eq!(detect::<Mapping>("x", &bytes).unwrap().name, row.name);
        assert_eq!(read(None), mapping, "{}", row.name);
    }
}

#[test]
fn directions_that_do_not_exist_are_refused_with_names() {
    let network = line(3);
    let mapping = Mapping::new(vec![0, 1], &network).unwrap();
    let messages = [
        crate::read::<Network>(b"", "f", Some(&call("rankfile")), ()).unwrap_err().to_string(),
        crate::read::<Mapping>(b"", "f", Some(&call("graphml")), &network).unwrap_err().to_string(),
        crate::write(&network, &call("csv"), ()).unwrap_err().to_string(),
        crate::write(&mapping, &call("graphml"), &network).unwrap_err().to_string(),
    ];
    for message in messages {
        assert!(message.starts_with("NL-F017") && message.contains("use one of"), "{message}");
    }
    assert_eq!(crate::read::<Network>(b"\x7fELF", "f", None, ()).unwrap_err().0[0].code, "NL-F016");
}

/// One valid file per network format, as seeds of mutation.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let written = |name| crate::write(&sample(name), &Call::bare(name), ()).unwrap();
    let mut out: Vec<(&str, Vec<u8>)> =
        network::FORMATS.rows.iter().filter(|r| r.read.is_some()).map(|r| (r.name, written(r.name))).collect();
    out.push(("graph-golf", crate::write(&line(3), &call("graph-golf(form=host-switch)"), ()).unwrap()));
    out.extend(crate::fabric::tests::FORMS.map(|text| ("ibnetdiscover", text.as_bytes().to_vec())));
    out.push(("simgrid", crate::simgrid::tests::CLUSTERS.as_bytes().to_vec()));
    out.push(("simgrid", crate::simgrid::tests::SHARED_LINKS.as_bytes().to_vec()));
    out
}

fn read_or_refuse(format: &str, bytes: &[u8]) {
    match crate::read::<Network>(bytes, "f", Some(&Call::bare(format)), ()) {
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
                // Two switches with one name, nothing else.
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
        for row in network::FORMATS.rows.iter().filter(|row| row.read.is_some()) {
            read_or_refuse(row.name, &bytes);
        }
        let _ = detect::<Network>("x", &bytes);
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
        for row in mapping::FORMATS.rows {
            let _ = crate::read::<Mapping>(text.as_bytes(), "f", Some(&Call::bare(row.name)), &network);
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
    for row in FORMATS.about() {
        assert!(page.contains(&format!("| `{}` |", row.name)), "{}", row.name);
        for param in row.params {
            assert!(page.contains(&format!("`{}`", param.name)), "{}.{}", row.name, param.name);
        }
    }
}

/// Content decides: a table of numbers is not an edge list only because its name ends in txt.
#[test]
fn what_is_no_network_is_told_in_one_line() {
    for text in ["hello world\n", "1 2\n1.5 x y\nz\n1 2 3 4\n", "src,dst,bytes\n0,1,2\n"] {
        assert!(detect::<Network>("x.txt", text.as_bytes()).is_none(), "{text}");
    }
    for text in ["0 1\n", "4 2 3\n0 4\n4 5\n", "0,0 0,1 {}\n", "# edges\n\n0 1\n1 2\n2 x\n"] {
        assert_eq!(detect::<Network>("x", text.as_bytes()).unwrap().name, "graph-golf", "{text}");
    }
    assert_eq!(detect::<Network>("x.txt", b"").unwrap().name, "graph-golf");
}

#[test]
fn a_format_that_cannot_hold_any_mapping_is_refused_before_the_work() {
    let code = |network: &Network, format: &str| {
        mapping::check(network, 4, &call(format)).err().map(|faults| faults.0[0].code.to_string())
    };
    let network = mesh_2x3x2();
    for row in mapping::FORMATS.rows.iter().filter(|row| row.read.is_some()) {
        assert_eq!(code(&network, row.name), None, "{}", row.name);
    }
    for regular in ["slurm-distribution", "pe-list", "likwid-pin", "vcoordfile"] {
        assert_eq!(code(&network, regular).as_deref(), Some("NL-F018"), "{regular}");
    }
    for format in ["slurm-arbitrary", "hostfile"] {
        assert_eq!(code(&network, &format!("{format}(slots=2)")).as_deref(), Some("NL-F018"), "{format}");
    }
    assert_eq!(code(&network, "rankfile(slots=2)"), None);
    assert_eq!(code(&network, "rankfile(\"n\")").as_deref(), Some("NL-F014"));
    assert_eq!(code(&tree_3x2(), "bgq").as_deref(), Some("NL-F018"));
    assert_eq!(code(&network, "graphml").as_deref(), Some("NL-F017"));
    assert_eq!(mapping::check(&line(3), 99, &call("csv")).unwrap_err().0[0].code, "NL-M003");
}
