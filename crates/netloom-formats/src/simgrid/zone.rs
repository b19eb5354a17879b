//! `<zone routing="Cluster">`: hosts with links of their own to one router, by `<host_link>` or as a `<cabinet>`.

use super::cluster;
use super::platform::{Pass, Platform, Way, required};
use crate::codes;
use crate::sink::{Sink, quoted};
use crate::xml::{Element, Tree};

/// Hosts, links and the router, which is made where the zone has none; `None` beyond the limits.
pub fn define(platform: &mut Platform, tree: &Tree, zone: &Element, sink: &mut Sink) -> Option<()> {
    let name = router(tree, zone);
    for child in tree.children(zone) {
        match child.name() {
            "host_link" => {
                platform.heed(tree, child, sink);
            }
            "backbone" => {
                platform.heed(tree, child, sink);
                let id = quoted(zone.attr("id").unwrap_or_default());
                platform
                    .notes
                    .push(format!("the backbone of zone {id} is read as its router, without bandwidth and latency"));
            }
            "cabinet" => {}
            _ => platform.define_one(tree, child, sink)?,
        }
    }
    let known = platform.point_called(&name);
    let router = match known {
        Some(router) => router,
        None => platform.point(name, false, tree.spot(zone), sink)?,
    };
    for child in tree.children(zone).filter(|c| c.is("cabinet")) {
        platform.heed(tree, child, sink);
        cluster::cabinet(platform, child, router, tree.spot(child), sink)?;
    }
    Some(())
}

/// Name of the zone's router.
fn router(tree: &Tree, zone: &Element) -> String {
    let own = tree.children(zone).find(|c| c.is("router")).and_then(|router| router.attr("id"));
    own.map_or_else(|| format!("{}_router", zone.attr("id").unwrap_or_default()), |id| id.into_owned())
}

/// A route each way between every host with a `<host_link>` and the router.
pub fn routes(platform: &mut Platform, tree: &Tree, zone: &Element, sink: &mut Sink) {
    let Some(router) = platform.point_called(&router(tree, zone)) else { return };
    for child in tree.children(zone).filter(|c| c.is("host_link")) {
        let spot = tree.spot(child);
        let host = required(child, "id", spot, sink);
        let found = platform.point_called(&host);
        if found.is_none() && !host.is_empty() {
            let hint = "name a host of the zone";
            sink.must(&codes::UNKNOWN_ID, spot, "host_link id", "the id of a host", host, hint);
        }
        let ends = ["up", "down"].map(|which| {
            let name = required(child, which, spot, sink);
            platform.link_called(&name, which, spot, sink)
        });
        let (Some(host), [Some(up), Some(down)]) = (found, ends) else { continue };
        // The half of a link that a name tells, else the link from its first end, and back over the same one.
        let or = |way: Way, other: Way| if way == Way::Open { other } else { way };
        let back = if up.link == down.link { Way::Down } else { Way::Up };
        platform.one_way(host, router, Pass { way: or(up.way, Way::Up), ..up });
        platform.one_way(router, host, Pass { way: or(down.way, back), ..down });
    }
}
