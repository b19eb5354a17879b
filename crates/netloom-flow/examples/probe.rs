//! Scratch: probe NETWORK WORKLOAD BYTES SHARING [half] [cross] [cap]
use netloom_flow::execute;
use netloom_model::machine::Sharing;
use netloom_model::{Call, Duplex, Progress, Software, Wire};
use netloom_ranks::{Job, Load, RoutedMachine, Spread};
use std::sync::Arc;
use std::time::Instant;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let network = Arc::new(netloom_net::registry::build(&Call::parse(&a[1]).unwrap()).unwrap());
    let by = a
        .iter()
        .find_map(|x| x.strip_prefix("routing="))
        .map(str::to_string)
        .unwrap_or(netloom_net::routing::default_routing(&network));
    let routing = netloom_net::routing::build(&network, &Call::parse(&by).unwrap()).unwrap();
    let sharing: Sharing = a[4].parse().unwrap();
    let mut wire = Wire { sharing, ..Wire::default() };
    if a.iter().any(|x| x == "half") {
        wire.duplex = Duplex::Half;
    }
    if a.iter().any(|x| x == "cross") {
        wire.cross_traffic = 0.05;
    }
    if a.iter().any(|x| x == "cap") {
        wire.tcp_window_bytes = 2000.0;
    }
    let software = Software::default();
    let machine =
        RoutedMachine { network: &network, node: None, routing: routing.as_ref(), wire: &wire, software: &software };
    let ranks = network.endpoints();
    let bytes: i64 = a[3].parse().unwrap();
    let call = Call::parse(&a[2]).unwrap();
    let (s, t);
    let work = if a[2].contains(':') {
        s = netloom_workload::build(&call, i64::from(ranks), 0, bytes).unwrap();
        Load::Schedule(&s)
    } else {
        let p = netloom_workload::build_pattern(&call, Some(i64::from(ranks))).unwrap();
        let f =
            p.flows().iter().map(|f| netloom_model::traffic::Flow { bytes: f.bytes * bytes as u64, ..*f }).collect();
        t = netloom_model::Traffic::new("t", ranks, f);
        Load::Traffic(&t)
    };
    let mapping: Vec<u32> = (0..ranks).collect();
    let job = Job {
        work,
        endpoint_of_rank: &mapping,
        routing: None,
        seat_of_rank: &[],
        spread: Spread::Shares,
        start_s: 0.0,
        repetitions: 1,
    };
    let t0 = Instant::now();
    let done = execute(&machine, &[job], &[], false, &Progress::new()).unwrap();
    let wall = t0.elapsed().as_secs_f64();
    let h =
        done.finish_s[0].iter().fold(0u64, |h, x| (h.rotate_left(7) ^ x.to_bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let end = done.finish_s[0].iter().copied().fold(0.0, f64::max);
    let sum: f64 = done.finish_s[0].iter().sum();
    println!(
        "{} {} {} {}: {wall:.2} s  {:?} end {end:e} sum {sum:e} hash {h:016x}",
        a[1],
        a[2],
        a[3],
        a[4..].join(" "),
        done.work
    );
}
