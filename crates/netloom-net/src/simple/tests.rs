//! An endpoint's link takes half of alpha, or its NIC all of it.

use netloom_model::network::Per;
use netloom_model::{Call, Network};

use crate::registry::build;

fn built(text: &str) -> Network {
    build(&Call::parse(text).unwrap()).unwrap()
}

#[test]
fn nothing_is_shared() {
    let net = built("simple(5, alpha=\"3 us\", bandwidth=\"8 Gbps\")");
    assert_eq!((net.switches(), net.endpoints(), net.cables()), (1, 5, 0));
    let class = net.endpoint_class();
    assert_eq!((class.per, class.bandwidth_bytes_per_s, class.latency_s), (Per::Flow, 1e9, 1.5e-6));
}

#[test]
fn a_nic_is_shared_by_what_it_sends() {
    let net = built("simple(3, alpha=\"3 us\", serial=true)");
    assert_eq!((net.switches(), net.endpoints(), net.cables()), (4, 3, 3));
    for link in 0..net.switch_links() {
        let (class, out) = (net.class(link), net.tails()[link as usize] < 3);
        assert_eq!((class.per == Per::Direction, class.latency_s > 0.0), (out, out));
    }
    assert_eq!(net.endpoint_class().latency_s, 0.0);
}
