//! Every format, one row each, and the six ways in: read and write a network, a mapping, traffic.

use netloom_model::{Bound, Call, Fault, Mapping, Network, Outcome, Registry, Row, Traffic};

use crate::limits::{MAX_NODES, MAX_RANKS};
use crate::sink::quoted;
use crate::{booksim, codes, detect, detect_traffic, graph_golf, graphml, mapping, node_link, simgrid, slurm, traffic};

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
    Traffic(fn(&[u8], &str, &Bound) -> Outcome<Traffic>),
}

/// To bytes.
#[derive(Clone, Copy)]
pub enum Writer {
    Network(fn(&Network, &Bound) -> Outcome<Vec<u8>>),
    Mapping(fn(&Network, &Mapping, &Bound) -> Outcome<Vec<u8>>),
    Traffic(fn(&Traffic, &Bound) -> Outcome<Vec<u8>>),
}

/// What a format's files hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holds {
    Network,
    Mapping,
    Traffic,
}

/// What a format's row builds.
#[derive(Clone, Copy)]
pub struct Format {
    /// File name endings without the dot; the first is what a writer's file gets.
    pub extensions: &'static [&'static str],
    pub read: Option<Reader>,
    pub write: Option<Writer>,
}

/// A format. Its parameters are those of the reader and the writer together; its restrictions say what it cannot hold or how
/// it is read.
pub type FormatRow = Row<Format>;

impl Format {
    pub fn holds(&self) -> Holds {
        match (self.read, self.write) {
            (Some(Reader::Network(_)), _) | (_, Some(Writer::Network(_))) => Holds::Network,
            (Some(Reader::Traffic(_)), _) | (_, Some(Writer::Traffic(_))) => Holds::Traffic,
            _ => Holds::Mapping,
        }
    }
}

/// All formats: networks first, then mappings, then traffic.
pub static FORMATS: Registry<Format> = Registry {
    kind: "formats",
    what: "format",
    rows: &[
        graph_golf::ROW,
        graphml::ROW,
        node_link::ROW,
        simgrid::ROW,
        slurm::ROW,
        booksim::ROW,
        mapping::rankfile::ROW,
        mapping::slurm_arbitrary::ROW,
        mapping::hostfile::ROW,
        mapping::cray::ROW,
        mapping::bluegene::ROW,
        mapping::csv::ROW,
        mapping::plain::ROW,
        traffic::csv::ROW,
        traffic::matrix_market::ROW,
        traffic::npy::ROW,
    ],
};

/// The format called `name`; the first of them where formats of different things share an alias.
///
/// # Errors
/// `NL-A002` with the nearest name.
pub fn find_format(name: &str) -> Outcome<&'static FormatRow> {
    FORMATS.find(name)
}

/// The format called `name` where it is known what its files hold: of mappings, `slurm` is the file of `srun`, not the
/// topology; of traffic, `csv` is a table of messages.
fn find_among(name: &str, holds: Holds) -> Outcome<&'static FormatRow> {
    let same = |other: &str| other.replace('_', "-") == name.replace('_', "-");
    let among = FORMATS.rows.iter().find(|row| row.holds() == holds && row.names().any(same));
    among.map_or_else(|| find_format(name), Ok)
}

fn names(keep: impl Fn(&FormatRow) -> bool) -> String {
    let names: Vec<_> = FORMATS.rows.iter().filter(|r| keep(r)).map(|r| r.name).collect();
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
    let row = find_among(&format.name, Holds::Mapping)?;
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
    let row = find_among(&format.name, Holds::Mapping)?;
    let Some(Writer::Mapping(write)) = row.write else {
        return Err(no_direction(row, "is not written from a mapping", |r| {
            matches!(r.write, Some(Writer::Mapping(_)))
        }));
    };
    write(network, mapping, &Bound::bind(row.params, format)?)
}

/// Reads traffic. `format` is recognised from name and content if absent. A file names as many ranks as it has rows, or as
/// its highest rank says; `ranks` makes them more, and refuses a file that has more.
///
/// # Errors
/// `NL-F016` if nothing is recognised, `NL-F017` for a format of something else, `NL-F009` more ranks than `ranks`, or
/// `ranks` out of 1 to 2^24, the reader's own faults.
pub fn read_traffic(bytes: &[u8], place: &str, format: Option<&Call>, ranks: Option<i64>) -> Outcome<Traffic> {
    let reads = |r: &FormatRow| matches!(r.read, Some(Reader::Traffic(_)));
    let found = match format {
        Some(call) => call.clone(),
        None => match detect_traffic(place, bytes) {
            Some(row) => Call::bare(row.name),
            None => {
                let sentence = "neither the ending nor the beginning tells a format of traffic";
                return Err(Fault::say(&codes::UNKNOWN_FORMAT, place, sentence).hint(names(reads)).into());
            }
        },
    };
    let row = find_among(&found.name, Holds::Traffic)?;
    let Some(Reader::Traffic(read)) = row.read else {
        return Err(no_direction(row, "is not read as traffic", reads));
    };
    let most = match ranks {
        None => None,
        Some(ranks) if (1..=MAX_RANKS as i64).contains(&ranks) => Some(ranks as u32),
        Some(ranks) => return Err(Fault::new(&codes::VALUE, "ranks", "an integer in 1..2^24", ranks).into()),
    };
    let mut traffic = read(bytes, place, &Bound::bind(row.params, &found)?)?;
    if let Some(most) = most {
        if traffic.ranks > most {
            let expected = format!("traffic of at most {most} ranks, as many as the job has");
            return Err(Fault::new(&codes::VALUE, place, expected, format!("{} ranks", traffic.ranks)).into());
        }
        traffic.ranks = most;
    }
    Ok(traffic)
}

/// Writes traffic.
///
/// # Errors
/// `NL-F017` for a format of something else, `NL-F018` where the format has no words for it, `NL-F001` for a file that is
/// too large to be read again.
pub fn write_traffic(traffic: &Traffic, format: &Call) -> Outcome<Vec<u8>> {
    let row = find_among(&format.name, Holds::Traffic)?;
    let Some(Writer::Traffic(write)) = row.write else {
        return Err(no_direction(row, "is not written from traffic", |r| matches!(r.write, Some(Writer::Traffic(_)))));
    };
    write(traffic, &Bound::bind(row.params, format)?)
}
