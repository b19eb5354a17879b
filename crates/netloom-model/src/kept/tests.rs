use super::*;
use crate::network::NetworkBuilder;
use crate::{Network, Programs, Traffic};

fn network_of_two() -> Network {
    let mut builder = NetworkBuilder::new("two", 2);
    let class = builder.class("cable", 1e9, 1e-7);
    builder.endpoint_link(1e9, 1e-7);
    builder.cable(0, 1, class);
    builder.cable(0, 1, class);
    builder.endpoint(1);
    builder.endpoint(0);
    builder.endpoint(1);
    builder.build().unwrap()
}

fn bytes_of(network: &Network) -> Vec<u8> {
    seal("network", |out| network.put(out))
}

#[test]
fn a_network_comes_back_with_its_tables_and_failures() {
    let whole = network_of_two();
    let tables = Forwarding::new("t", 2, vec![0, 1, 0], vec![0, Forwarding::NONE, Forwarding::NONE, 2]);
    let lost = Lost { endpoint: 1, switch: 0, why: Why::Wrong { port: 7, endpoint: 2 } };
    let routed = whole.clone().with_tables(Arc::new(tables.with_lost(vec![lost], vec![1])));
    for network in [whole.clone(), routed, whole.without(&[1], &[]).unwrap(), whole.with_slots(3).unwrap()] {
        assert_eq!(open("network", &bytes_of(&network), Network::get).unwrap(), network);
    }
}

#[test]
fn bytes_with_one_bit_changed_or_cut_off_are_refused() {
    let bytes = bytes_of(&network_of_two());
    for at in 0..bytes.len() {
        let mut other = bytes.clone();
        other[at] ^= 1;
        assert!(open("network", &other, Network::get).is_err(), "bit of byte {at}");
        assert!(open("network", &bytes[..at], Network::get).is_err(), "{at} bytes");
    }
    assert!(open("traffic", &bytes, Traffic::get).unwrap_err().to_string().contains("network"));
}

/// The checksum is right in all of these: what is inside must be looked at too.
#[test]
fn no_sealed_bytes_make_a_network_that_breaks_its_promises() {
    let network = network_of_two();
    let mut inside = Vec::new();
    network.put(&mut inside);
    for at in 0..inside.len() {
        for flip in [1u8, 0x80] {
            let mut other = inside.clone();
            other[at] ^= flip;
            let sealed = seal("network", |out| out.extend_from_slice(&other));
            if let Ok(made) = open("network", &sealed, Network::get) {
                assert_eq!(made.switch_links(), 4, "byte {at}");
                let class = |link| made.class(link);
                assert!((0..made.links()).all(|link| class(link).bandwidth_bytes_per_s > 0.0), "byte {at}");
                assert!((0..made.links()).all(|link| class(link).latency_s >= 0.0), "byte {at}");
                assert_eq!(made.unreached().len(), 0, "byte {at}");
            }
        }
    }
}

#[test]
fn a_length_beyond_the_bytes_asks_for_no_memory() {
    let sealed = seal("programs", |out| {
        String::from("p").put(out);
        u64::MAX.put(out);
    });
    assert!(open("programs", &sealed, Programs::get).is_err());
}

#[test]
fn other_versions_are_named() {
    let mut out = MARK.to_vec();
    FORM.put(&mut out);
    String::from("0.0.9").put(&mut out);
    sum(&out).put(&mut out);
    let said = open("network", &out, Network::get).unwrap_err().to_string();
    assert!(said.contains("those of netloom 0.0.9"), "{said}");
}
