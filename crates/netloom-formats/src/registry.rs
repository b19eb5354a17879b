//! Every format, one row each, and the four ways in: read and write a network, read and write a mapping.

use netloom_model::{Bound, Call, Fault, Mapping, Network, Outcome, Param};

use crate::limits::MAX_NODES;
use crate::sink::quoted;
use crate::{booksim, codes, detect, graph_golf, graphml, mapping, node_link, simgrid, slurm};

/// A network from a file.
#[derive(Clone, Debug)]
pub struct Read {
    pub network: Network,
    /// What of the file the network does not hold, or how an open point was read; one sentence each.
    pub notes: Vec<String>,
}

/// From bytes, with the file's name for messages.
#[derive(Clone, Copy)]
pub enum Reader {
    Network(fn(&[u8], &str, &Bound) -> Outcome<Read>),
    /// Mapping onto a network that the caller has.
    Mapping(fn(&[u8], &str, &Network, &Bound) -> Outcome<Mapping>),
}

/// To bytes.
#[derive(Clone, Copy)]
pub enum Writer {
    Network(fn(&Network, &Bound) -> Outcome<Vec<u8>>),
    Mapping(fn(&Network, &Mapping, &Bound) -> Outcome<Vec<u8>>),
}

/// One format.
pub struct FormatRow {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// File name endings without the dot; the first is what a writer's file gets.
    pub extensions: &'static [&'static str],
    pub summary: &'static str,
    /// Parameters of the reader and the writer together.
    pub params: &'static [Param],
    /// A call that works.
    pub example: &'static str,
    /// What the format cannot hold or how it is read, in a sentence or two.
    pub restrictions: &'static str,
    /// Specification.
    pub source: &'static str,
    pub read: Option<Reader>,
    pub write: Option<Writer>,
}

impl FormatRow {
    /// Name and aliases.
    pub fn names(&self) -> Vec<&'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied()).collect()
    }
    /// True for the formats of networks, false for those of mappings.
    pub fn is_network(&self) -> bool {
        matches!(self.read, Some(Reader::Network(_))) || matches!(self.write, Some(Writer::Network(_)))
    }
}

/// All formats: networks first, then mappings.
pub static FORMATS: &[&FormatRow] = &[
    &graph_golf::ROW,
    &graphml::ROW,
    &node_link::ROW,
    &simgrid::ROW,
    &slurm::ROW,
    &booksim::ROW,
    &mapping::rankfile::ROW,
    &mapping::slurm_arbitrary::ROW,
    &mapping::hostfile::ROW,
    &mapping::cray::ROW,
    &mapping::bluegene::ROW,
    &mapping::csv::ROW,
    &mapping::plain::ROW,
];

/// The format called `name`; a format of networks where one of mappings has the same alias.
///
/// # Errors
/// `NL-A002` with the nearest name.
pub fn find_format(name: &str) -> Outcome<&'static FormatRow> {
    netloom_model::param::find("format", name, FORMATS, |row| row.names()).copied()
}

/// The format called `name` where a mapping is read or written: `slurm` is then the file of `srun`, not the topology.
fn find_mapping_format(name: &str) -> Outcome<&'static FormatRow> {
    let mappings: Vec<&'static FormatRow> = FORMATS.iter().copied().filter(|r| !r.is_network()).collect();
    let among = netloom_model::param::find("format", name, &mappings, |row| row.names()).copied();
    among.or_else(|_| find_format(name))
}

fn names(keep: impl Fn(&FormatRow) -> bool) -> String {
    let names: Vec<_> = FORMATS.iter().filter(|r| keep(r)).map(|r| r.name).collect();
    format!("use one of {}", names.join(", "))
}

fn no_direction(row: &FormatRow, sentence: &str, keep: impl Fn(&FormatRow) -> bool) -> netloom_model::Faults {
    Fault::say(&codes::NO_DIRECTION, row.name, sentence).hint(names(keep)).into()
}

/// Reads a network. `place` is the file's name, quoted by every fault; `format` is recognised from name and content
/// if absent.
///
/// # Errors
/// `NL-F016` if nothing is recognised, `NL-F017` for a format of mappings, `NL-A009` beyond 2^23 slots, the reader's own
/// faults.
pub fn read_network(bytes: &[u8], place: &str, format: Option<&Call>) -> Outcome<Read> {
    let found = match format {
        Some(call) => call.clone(),
        None => match detect(place, bytes) {
            Some(row) => Call::bare(row.name),
            None => {
                let head = quoted(String::from_utf8_lossy(&bytes[..bytes.len().min(40)]));
                return Err(Fault::say(&codes::UNKNOWN_FORMAT, place, format!("no format begins with {head}"))
                    .hint(names(|r| matches!(r.read, Some(Reader::Network(_)))))
                    .into());
            }
        },
    };
    let row = find_format(&found.name)?;
    let Some(Reader::Network(read)) = row.read else {
        return Err(no_direction(row, "is not read as a network", |r| matches!(r.read, Some(Reader::Network(_)))));
    };
    let bound = Bound::bind(row.params, &found)?;
    let read = read(bytes, place, &bound)?;
    let slots = bound.size("slots").max(1);
    if slots == 1 {
        return Ok(read);
    }
    let wanted = u64::from(read.network.endpoints()) * u64::from(slots);
    if wanted > MAX_NODES {
        let sentence = format!("{wanted} slots exceed {MAX_NODES}");
        return Err(Fault::say(&netloom_model::fault::codes::TOO_LARGE, place, sentence).into());
    }
    Ok(Read { network: read.network.with_slots(slots)?, ..read })
}

/// Writes a network.
///
/// # Errors
/// `NL-F017` for a format of mappings, `NL-F018` where the format has no words for the network.
pub fn write_network(network: &Network, format: &Call) -> Outcome<Vec<u8>> {
    let row = find_format(&format.name)?;
    let Some(Writer::Network(write)) = row.write else {
        return Err(no_direction(row, "is not written from a network", |r| {
            matches!(r.write, Some(Writer::Network(_)))
        }));
    };
    write(network, &Bound::bind(row.params, format)?)
}

/// Reads a mapping onto `network`.
///
/// # Errors
/// `NL-F017` for a format that is not read as a mapping, the reader's own faults, `NL-M001`..`NL-M003`.
pub fn read_mapping(bytes: &[u8], place: &str, network: &Network, format: &Call) -> Outcome<Mapping> {
    let row = find_mapping_format(&format.name)?;
    let Some(Reader::Mapping(read)) = row.read else {
        return Err(no_direction(row, "is not read as a mapping", |r| matches!(r.read, Some(Reader::Mapping(_)))));
    };
    read(bytes, place, network, &Bound::bind(row.params, format)?)
}

/// Writes a mapping as what a launcher takes.
///
/// # Errors
/// `NL-F017` for a format of networks, `NL-F014` for host names that the file cannot hold, `NL-F018` where the format
/// cannot express the mapping.
pub fn write_mapping(network: &Network, mapping: &Mapping, format: &Call) -> Outcome<Vec<u8>> {
    let row = find_mapping_format(&format.name)?;
    let Some(Writer::Mapping(write)) = row.write else {
        return Err(no_direction(row, "is not written from a mapping", |r| {
            matches!(r.write, Some(Writer::Mapping(_)))
        }));
    };
    write(network, mapping, &Bound::bind(row.params, format)?)
}
