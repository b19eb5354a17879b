//! Shared by all generators: the parameters of links and endpoints, the check of sizes, the start of a builder.

use netloom_model::fault::codes::TOO_LARGE;
use netloom_model::units::Quantity;
use netloom_model::{Bound, CodeRow, Fault, Faults, Kind, NetworkBuilder, Outcome, Param};

use crate::codes;
use crate::row::Expected;

/// Most switches, endpoints or cables that a generator builds: 2^26 cables take some 3 GB while they are built.
pub const LIMIT: u64 = 1 << 26;

/// Upper end of the range of a parameter that counts things; the size of the network is limited by [`LIMIT`].
pub const MANY: i64 = 1 << 26;

const BANDWIDTH: Kind = Kind::Quantity(Quantity::BytesPerSecond);
const SECONDS: Kind = Kind::Quantity(Quantity::Seconds);

/// A count of at least `min`.
pub const fn count(min: i64) -> Kind {
    Kind::Int { min, max: MANY }
}

/// A list of at least one count, each at least `min`.
pub const fn counts(min: i64) -> Kind {
    Kind::Ints { min, max: MANY, least: 1, most: usize::MAX }
}

pub const SEED: Param = Param::optional("seed", Kind::Int { min: 0, max: i64::MAX }, "1", "seed of the random draws");

/// Speed of links and of endpoints' links.
pub const LINKS: [Param; 4] = [
    Param::optional("bandwidth", BANDWIDTH, "\"100 Gbps\"", "bandwidth of a link between switches").keyword_only(),
    Param::optional("latency", SECONDS, "\"100 ns\"", "latency of a link between switches").keyword_only(),
    Param::optional("endpoint_bandwidth", BANDWIDTH, "", "bandwidth of an endpoint's link")
        .keyword_only()
        .follows("bandwidth"),
    Param::optional("endpoint_latency", SECONDS, "", "latency of an endpoint's link").keyword_only().follows("latency"),
];

/// Endpoints per switch, then [`LINKS`].
pub const COMMON: [Param; 5] =
    join(&[Param::optional("p", count(1), "1", "endpoints per switch").keyword_only()], &LINKS);

/// Speed of the links between groups, then [`LINKS`].
pub const TWO_LEVEL: [Param; 6] = join(
    &[
        Param::optional("global_bandwidth", BANDWIDTH, "", "bandwidth of a global link")
            .keyword_only()
            .follows("bandwidth"),
        Param::optional("global_latency", SECONDS, "", "latency of a global link").keyword_only().follows("latency"),
    ],
    &LINKS,
);

/// `own` then `shared`, as one attribute table.
pub const fn join<const N: usize>(own: &[Param], shared: &[Param]) -> [Param; N] {
    assert!(own.len() + shared.len() == N);
    let mut out = [own[0]; N];
    let mut i = 0;
    while i < N {
        out[i] = if i < own.len() { own[i] } else { shared[i - own.len()] };
        i += 1;
    }
    out
}

/// Bandwidth in bytes per second and latency in seconds of one kind of link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    pub bandwidth_bytes_per_s: f64,
    pub latency_s: f64,
}

#[derive(Clone, Copy, Debug)]
pub struct Speeds {
    pub link: Speed,
    pub global: Speed,
    pub endpoint: Speed,
}

fn speeds(bound: &Bound) -> Outcome<Speeds> {
    let mut faults = Faults::none();
    for name in ["bandwidth", "global_bandwidth", "endpoint_bandwidth"] {
        if bound.is_given(name) && bound.float(name) <= 0.0 {
            faults.push(fault(bound, &codes::NO_BANDWIDTH, name, "above 0"));
        }
    }
    let link = Speed { bandwidth_bytes_per_s: bound.float("bandwidth"), latency_s: bound.float("latency") };
    let or_link = |bandwidth: &str, latency: &str| Speed {
        bandwidth_bytes_per_s: if bound.is_given(bandwidth) {
            bound.float(bandwidth)
        } else {
            link.bandwidth_bytes_per_s
        },
        latency_s: if bound.is_given(latency) { bound.float(latency) } else { link.latency_s },
    };
    let global = or_link("global_bandwidth", "global_latency");
    let endpoint = or_link("endpoint_bandwidth", "endpoint_latency");
    faults.or(Speeds { link, global, endpoint })
}

/// The generator's own checks together with those of the common parameters: all faults together.
pub fn plan<S>(bound: &Bound, shape: Outcome<S>) -> Outcome<(S, Speeds)> {
    match (shape, speeds(bound)) {
        (Ok(shape), Ok(speeds)) => Ok((shape, speeds)),
        (Err(mut a), Err(b)) => {
            a.0.extend(b.0);
            Err(a)
        }
        (Err(a), _) | (_, Err(a)) => Err(a),
    }
}

/// A fault about parameter `name` under this crate's code.
pub fn fault(bound: &Bound, row: &CodeRow, name: &str, expected: impl Into<String>) -> Fault {
    Fault { code: row.code, ..bound.fault(name, expected) }
}

/// A builder for a network of the expected size, with what `expected` knows already in its structure.
///
/// # Errors
/// `NL-A009` beyond [`LIMIT`] switches, endpoints or cables; nothing has been allocated then.
pub fn begin(bound: &Bound, family: &str, expected: &Expected, speeds: &Speeds) -> Outcome<NetworkBuilder> {
    let switches = bounded(bound, expected)?;
    let mut builder = NetworkBuilder::new(bound.owner.clone(), switches);
    builder.endpoint_link(speeds.endpoint.bandwidth_bytes_per_s, speeds.endpoint.latency_s);
    let structure = builder.structure();
    structure.family = family.into();
    structure.transitive = expected.transitive;
    structure.bisection_cables = expected.bisection_cables;
    Ok(builder)
}

/// The number of switches, if the network is within what link and switch numbers can count.
///
/// # Errors
/// `NL-A009` as [`begin`].
pub fn bounded(bound: &Bound, expected: &Expected) -> Outcome<u32> {
    let most = expected.switches.max(expected.endpoints).max(expected.switch_links);
    match u32::try_from(expected.switches) {
        Ok(switches) if most <= LIMIT => Ok(switches),
        _ => Err(too_large(bound, expected)),
    }
}

fn too_large(bound: &Bound, expected: &Expected) -> Faults {
    let show = |n: u64| if n == u64::MAX { "more than 2^63".to_string() } else { n.to_string() };
    let sentence = format!(
        "would have {} switches, {} endpoints and {} cables; the limit of each is {LIMIT}",
        show(expected.switches),
        show(expected.endpoints),
        show(expected.switch_links)
    );
    Fault::say(&TOO_LARGE, &bound.owner, sentence).hint("choose smaller parameters").into()
}

/// The class of links called `name` at `speed`.
pub fn class(builder: &mut NetworkBuilder, name: &str, speed: Speed) -> u16 {
    builder.class(name, speed.bandwidth_bytes_per_s, speed.latency_s)
}

/// The integers of list `name` as sizes.
pub fn sizes(bound: &Bound, name: &str) -> Vec<u32> {
    bound.ints(name).into_iter().map(|v| u32::try_from(v).unwrap_or(0)).collect()
}

/// Product that stops at `u64::MAX`, which is beyond every limit.
pub fn product(factors: impl IntoIterator<Item = u64>) -> u64 {
    factors.into_iter().fold(1, u64::saturating_mul)
}

/// Sum that stops at `u64::MAX`.
pub fn sum(terms: impl IntoIterator<Item = u64>) -> u64 {
    terms.into_iter().fold(0, u64::saturating_add)
}

/// One value per dimension from a list that has one for all, or one for each.
///
/// # Errors
/// `NL-T002` if the list has another length.
pub fn spread<T: Copy>(bound: &Bound, name: &str, values: &[T], count: usize) -> Outcome<Vec<T>> {
    match values {
        [one] => Ok(vec![*one; count]),
        _ if values.len() == count => Ok(values.to_vec()),
        _ => Err(fault(bound, &codes::LIST_LENGTH, name, format!("one value, or one for each of the {count}")).into()),
    }
}
