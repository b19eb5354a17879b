//! Which adapters are of one host: those whose descriptions begin with its name and differ after it, as `cn1 HCA-1` and
//! `cn1 HCA-2` do.
//!
//! A description that was never set names no host, and one that two adapters have is not the name of either: no machine has
//! two devices of one name. Source: infiniband-diags, ibnetdiscover(8), `--node-name-map`.

use std::collections::{HashMap, HashSet};

use super::devices::{Device, DeviceKind, Devices, Tool};
use super::join::AGGREGATION;
use crate::sink::quoted;
use crate::text::some;

/// First words of descriptions before a host's name was known.
const UNSET: &[&str] = &["localhost", "localhost.localdomain", "localhost6", "(none)", "none", "unknown"];
/// Beginnings of names of devices, makers and products, in lower case.
const DEVICES: &[&str] = &["mlx4_", "mlx5_", "hfi1_", "qib", "hca-", "connectx", "mellanox", "nvidia"];
const REMEDY: &str = "each is a host called by its GUID; set the descriptions, or give ibnetdiscover --node-name-map";

/// Takes the description from adapters that it does not name a host of; a note for each reason. O(devices).
pub fn settle(devices: &mut Devices) -> Vec<String> {
    let nameless = devices.all.iter().filter(|device| is_nameless(device)).map(|device| quoted(&device.name)).collect();
    let unset = take(devices, |device| host_word(device).is_some_and(is_unset));
    let shared = shared(devices);
    let same = take(devices, |device| host_word(device).is_some_and(|host| shared.contains(host)));
    let told = |names: Vec<String>, one: &str, more: &str| {
        let (verb, count) = if names.len() == 1 { (one, 1) } else { (more, names.len()) };
        let mut kinds = names;
        kinds.sort();
        kinds.dedup();
        (count > 0).then(|| format!("{count} {verb}: {}; {REMEDY}", some(kinds.into_iter())))
    };
    [
        told(
            nameless,
            "adapter has a description of no or many words",
            "adapters have descriptions of no or many words",
        ),
        told(unset, "adapter has a description that names no host", "adapters have a description that names no host"),
        told(same, "adapter has the same description as another", "adapters have the same description as others"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Empties the descriptions of adapters of that sort, and says what they were.
fn take(devices: &mut Devices, is: impl Fn(&Device) -> bool) -> Vec<String> {
    let of = |device: &&mut Device| is(device);
    let adapters = devices.all.iter_mut().filter(of);
    adapters.map(|device| quoted(std::mem::take(&mut device.name))).collect()
}

/// The word of a description that is its host's name; none in a longer one.
fn host_word(device: &Device) -> Option<&str> {
    let adapter = device.kind == DeviceKind::Adapter && !device.name.contains(AGGREGATION);
    let words: Vec<&str> = device.name.split_whitespace().take(3).collect();
    (adapter && (1..=2).contains(&words.len())).then(|| words[0])
}

/// No word, or more than a host and a device: `MT4115 ConnectX4 Mellanox Technologies`.
fn is_nameless(device: &Device) -> bool {
    device.kind == DeviceKind::Adapter && !device.name.contains(AGGREGATION) && host_word(device).is_none()
}

fn is_unset(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let chip = lower.strip_prefix("mt").is_some_and(|rest| rest.len() >= 4 && rest.bytes().all(|b| b.is_ascii_digit()));
    chip || UNSET.contains(&lower.as_str()) || DEVICES.iter().any(|name| lower.starts_with(name))
}

/// Hosts of which two devices have one description: where every port is a device, two of one number.
fn shared(devices: &Devices) -> HashSet<String> {
    let mut seen: HashMap<&str, Vec<u32>> = HashMap::new();
    let mut shared = HashSet::new();
    for device in &devices.all {
        let Some(host) = host_word(device) else { continue };
        let own: Vec<u32> = match devices.tool {
            Tool::Discover => vec![0],
            Tool::PortList | Tool::LinkInfo => device.links.iter().map(|port| port.number).collect(),
        };
        let known = seen.entry(&device.name).or_default();
        if own.iter().any(|port| known.contains(port)) {
            shared.insert(host.to_string());
        }
        known.extend(own);
    }
    shared
}
