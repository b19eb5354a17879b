//! A table with a header, for people and scripts: `switch,endpoint,next,cable`.

use std::fmt::Write as _;

use netloom_model::{Bound, Forwarding, Network, Outcome, Row, Why};

use super::entries::{Entries, require_readable, require_same};
use crate::codes;
use crate::row::Format;
use crate::sink::Spot;
use crate::text::{decode, lines};

const FORMAT: &str = "forwarding-csv";

pub const ROW: Row<Format<Forwarding>> = Row {
    name: FORMAT,
    aliases: &[],
    summary: "Table with a header: switch, endpoint, next (switch), cable (of those to it, from 0; 0 if left out).",
    params: &[],
    example: FORMAT,
    restrictions: "Switches and endpoints are numbers of the network, from 0. A line per switch and endpoint, but for \
                   the endpoint's own switch. Channels are not held.",
    source: "netloom",
    build: Format {
        extensions: &["csv"],
        begins: |head| {
            let header = head.lines().next().unwrap_or_default();
            ["switch", "endpoint", "next"].iter().all(|name| header.split(',').any(|field| field.trim() == *name))
        },
        read: Some(read),
        write: Some(write),
    },
};

/// O(entries).
fn write(tables: &Forwarding, network: &Network, _bound: &Bound) -> Outcome<Vec<u8>> {
    require_same(tables, network, FORMAT)?;
    let cables = Cables::new(network);
    let mut out = String::from("switch,endpoint,next,cable\n");
    for switch in 0..network.switches() {
        for endpoint in 0..network.endpoints() {
            let link = tables.towards(endpoint)[switch as usize];
            if link != Forwarding::NONE {
                let next = network.heads()[link as usize];
                let cable = network.place(link) - cables.between(switch, next).0;
                let _ = writeln!(out, "{switch},{endpoint},{next},{cable}");
            }
        }
        require_readable(out.len(), FORMAT)?;
    }
    Ok(out.into_bytes())
}

/// O(text + entries).
fn read(bytes: &[u8], place: &str, network: &Network, _bound: &Bound) -> Outcome<Forwarding> {
    let text = decode(bytes, place)?;
    let mut entries = Entries::new(network, place)?;
    let mut filled = lines(text).filter(|l| !l.1.trim().is_empty());
    let header: Vec<&str> = filled.next().map(|l| l.1.split(',').map(str::trim).collect()).unwrap_or_default();
    let at = ["switch", "endpoint", "next", "cable"].map(|name| header.iter().position(|h| *h == name));
    let [Some(switch), Some(endpoint), Some(next), cable] = at else {
        let sentence = "the first line must name the columns switch, endpoint and next";
        entries.sink.say(&codes::MISSING, Spot::At(1, 1), sentence, "write the header switch,endpoint,next,cable");
        return entries.finish();
    };
    let cables = Cables::new(network);
    for (number, line) in filled {
        let spot = Spot::At(number, 1);
        let field = |at: usize| line.split(',').nth(at).and_then(|f| f.trim().parse::<u32>().ok());
        let (Some(switch), Some(endpoint), Some(next), Some(cable)) =
            (field(switch), field(endpoint), field(next), cable.map_or(Some(0), field))
        else {
            let expected = "integers from 0";
            entries.sink.must(&codes::VALUE, spot, "switch, endpoint, next and cable", expected, line.trim(), "");
            continue;
        };
        match cables.leads(switch, endpoint, next, cable) {
            Ok(Leads::On(link)) => entries.push(switch, endpoint, link, spot),
            Ok(Leads::Out) => {}
            Ok(Leads::Nowhere) => entries.lose(switch, endpoint, Why::NoCableTo { switch: next }, spot),
            Err(sentence) => entries.sink.say(&codes::UNKNOWN_ID, spot, sentence, ""),
        }
    }
    entries.finish()
}

/// Where a line leads.
enum Leads {
    On(u32),
    /// Nowhere: this is the endpoint's own switch, where packets leave.
    Out,
    /// Its cable is out of service.
    Nowhere,
}

/// The cables of a network as in full service, where lines count them.
struct Cables<'n> {
    network: &'n Network,
    /// Ends of failed cables in both orders, ascending.
    failed: Vec<(u32, u32)>,
}

impl<'n> Cables<'n> {
    /// O(failed log failed).
    fn new(network: &'n Network) -> Cables<'n> {
        let cables = network.failed().map_or(&[][..], |failed| &failed.cables);
        let mut failed: Vec<(u32, u32)> = cables.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        failed.sort_unstable();
        Cables { network, failed }
    }

    /// The place of the first cable from `switch` to `next` among all that leave `switch`, how many there are, and
    /// the links that remain of them. O(log degree).
    fn between(&self, switch: u32, next: u32) -> (u32, u32, std::ops::Range<u32>) {
        let neighbours = self.network.neighbours(switch);
        let there = [neighbours.partition_point(|s| *s < next), neighbours.partition_point(|s| *s <= next)];
        let [low, high] = there.map(|at| at as u32);
        let before = |to: (u32, u32)| self.failed.partition_point(|ends| *ends < to) as u32;
        let (start, first) = (before((switch, 0)), before((switch, next)));
        let gone = before((switch, next.saturating_add(1))) - first;
        let own = self.network.out_links(switch).start;
        (low + first - start, high - low + gone, own + low..own + high)
    }

    fn leads(&self, switch: u32, endpoint: u32, next: u32, cable: u32) -> Result<Leads, String> {
        let (network, n) = (self.network, self.network.switches());
        if let Some(beyond) = [switch, next].into_iter().find(|s| *s >= n) {
            return Err(format!("there is no switch {beyond}: {} has {n}", network.label()));
        }
        let Some(&own) = network.endpoint_switch().get(endpoint as usize) else {
            return Err(format!("there is no endpoint {endpoint}: {} has {}", network.label(), network.endpoints()));
        };
        if own == switch && next == switch {
            return Ok(Leads::Out);
        }
        let (first, count, mut links) = self.between(switch, next);
        match links.find(|link| network.place(*link) - first == cable) {
            _ if count == 0 => Err(format!("no cable joins switch {switch} to switch {next}")),
            _ if cable >= count => Err(format!(
                "there is no cable {cable} from switch {switch} to switch {next}: they are numbered 0..{count} (exclusive)"
            )),
            Some(link) => Ok(Leads::On(link)),
            None => Ok(Leads::Nowhere),
        }
    }
}
