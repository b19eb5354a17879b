//! The names and parameters of switch models.

use netloom_model::{Bound, Faults, Kind, Outcome, Param, Registry, Row};

use super::{CutThrough, Input, Switch, Wormhole};
use crate::cycle::queued::Settings;
use crate::event::{Injection, OutputSettings};
use crate::routes::taking::Taking;

/// Virtual channels of a link if nobody says; and of each class, for packets that may take detours. With one channel per class
/// a packet that is held up holds up all that come after it.
pub(super) const CHANNELS: u32 = 4;
pub(super) const PER_CLASS: u32 = 2;
/// Most channels of a link.
pub(super) const MOST_CHANNELS: u32 = 64;

type BuildSwitch = fn(&Bound) -> Outcome<Switch>;

const fn count(name: &'static str, max: i64, default: &'static str, help: &'static str) -> Param {
    Param::optional(name, Kind::Int { min: 1, max }, default, help)
}

/// A number that one of the models has; its default is in the help, so that what is given can be told.
const fn of_model(name: &'static str, min: i64, max: i64, help: &'static str) -> Param {
    Param::optional(name, Kind::Int { min, max }, "", help)
}

/// Parameters that only one of the models knows.
const CUT_THROUGH: [&str; 5] = ["buffer_packets", "injection_packets", "packet_phits", "link_delay", "choice"];
const WORMHOLE: [&str; 5] = ["buffer_flits", "packet_flits", "link_latency", "global_latency", "ugal"];

/// Switch models.
pub static SWITCHES: Registry<BuildSwitch> =
    Registry { kind: "switches", what: "switch model", rows: &[INPUT_QUEUED, OUTPUT_QUEUED], common: &[] };

const INPUT_QUEUED: Row<BuildSwitch> = Row {
    name: "input-queued",
    aliases: &["iq"],
    summary: "one FIFO per input and channel: packets with virtual cut-through and a random winner per output, or flits \
                  with wormhole flow control and round-robin allocators",
    params: &[
        Param::optional(
            "model",
            Kind::Choice(&["cut-through", "booksim"]),
            "cut-through",
            "cut-through: packets (Navaridas 2009); booksim: flits, as the router `iq` of BookSim2",
        ),
        of_model(
            "channels",
            1,
            MOST_CHANNELS as i64,
            "virtual channels of a link; default 4, and with variants that take detours two for each class of the routing, if \
                 these are more",
        ),
        of_model("buffer_packets", 1, 1 << 12, "cut-through: packets that the FIFO of a channel holds; default 4"),
        of_model("injection_packets", 1, 1 << 12, "cut-through: the same for the link from an endpoint; default 8"),
        of_model(
            "packet_phits",
            1,
            1 << 12,
            "cut-through: phits of a packet; a link of an endpoint moves one per cycle; default 16",
        ),
        of_model(
            "credit_delay",
            0,
            1 << 16,
            "cycles until a credit counts: from the end of a packet's leaving (cut-through, default 0), or from reading it \
                 at the switch (booksim, default 2)",
        ),
        of_model(
            "link_delay",
            0,
            1 << 16,
            "cut-through: cycles on a link between switches, beyond the one through its switch; default: in curves 0, in \
                 simulated time those of the link's latency",
        ),
        Param::optional(
            "choice",
            Kind::Choice(&["again", "once"]),
            "",
            "cut-through, adaptive: whether a waiting packet chooses its output again in every cycle (default), or once",
        ),
        of_model("buffer_flits", 1, 1 << 14, "booksim: flits that the FIFO of a channel holds; default 8"),
        of_model("packet_flits", 1, 1 << 14, "booksim: flits of a packet; default 1"),
        of_model(
            "link_latency",
            1,
            1 << 16,
            "booksim: cycles on a link between switches; default: in curves 1, on dragonflies 10, in simulated time those of \
                 its latency",
        ),
        of_model(
            "global_latency",
            1,
            1 << 16,
            "booksim: the same for links of the level `global`; default: in curves link_latency, on dragonflies 100; in \
                 simulated time link_latency if that is given, else those of its latency",
        ),
        Param::optional(
            "stages",
            Kind::Choice(&["auto", "plain", "dragonfly"]),
            "auto",
            "booksim: plain: one internal step per cycle, packets hold the switch, all channels of a class; dragonfly: two \
                 steps, no holding, one channel per class, entering by any at random; auto: by the network",
        ),
        Param::optional(
            "ugal",
            Kind::Bool,
            "",
            "booksim: on dragonflies packets go by a random endpoint if twice its queue and 30 flits are less than that of \
                 their own route; needs 3 channels and routing group-minimal",
        ),
    ],
    example: "input-queued(channels=2)",
    restrictions: "",
    source: "Navaridas 2009, section 4.1; Jiang et al., A detailed and flexible cycle-accurate network-on-chip \
                 simulator, ISPASS 2013",
    build: input_queued,
};

const OUTPUT_QUEUED: Row<BuildSwitch> = Row {
    name: "output-queued",
    aliases: &["oq"],
    summary: "a buffer per output and channel, in bytes: packets queue at the output that they pick on arrival, and wait for room in \
              its buffer without blocking others",
    params: &[
        of_model(
            "channels",
            1,
            64,
            "virtual channels of a link for each routing; as many as the routing needs if absent",
        ),
        count("packet_bytes", 1 << 24, "4096", "most bytes of a packet"),
        count("buffer_bytes", 1 << 30, "65536", "room of a virtual channel, at least one packet"),
        Param::optional(
            "switching",
            Kind::Choice(&["cut-through", "store-and-forward"]),
            "cut-through",
            "whether a packet's head goes on before its tail has come",
        ),
        Param::optional(
            "injection",
            Kind::Choice(&["round-robin", "fcfs", "priority"]),
            "round-robin",
            "which message of a NIC sends the next packet: each in turn, the oldest, or the oldest of the job that is named \
             first",
        ),
    ],
    example: "output-queued(packet_bytes=2048)",
    restrictions: "for the evaluator packet",
    source: "Jain 2016, section 5.3: the network models of CODES",
    build: output_queued,
};

fn output_queued(bound: &Bound) -> Outcome<Switch> {
    let (packet_bytes, buffer_bytes) = (bound.size("packet_bytes"), bound.size("buffer_bytes"));
    if buffer_bytes < packet_bytes {
        return Err(bound.fault("buffer_bytes", format!("at least a packet, {packet_bytes} bytes")).into());
    }
    Ok(Switch::Output(OutputSettings {
        channels: bound.int_or_none("channels").map(|number| number as u32),
        packet_bytes,
        buffer_bytes,
        cut_through: bound.text("switching") == "cut-through",
        injection: match bound.text("injection") {
            "fcfs" => Injection::FirstCome,
            "priority" => Injection::Priority,
            _ => Injection::RoundRobin,
        },
        seed: 1,
        threads: None,
        optimism: None,
        share: None,
    }))
}

fn input_queued(bound: &Bound) -> Outcome<Switch> {
    let (booksim, strange) = match bound.text("model") {
        "booksim" => (true, &CUT_THROUGH[..]),
        _ => (false, &WORMHOLE[..]),
    };
    let mut faults = Faults::none();
    for name in strange.iter().filter(|name| bound.is_given(name)) {
        faults.push(bound.fault(name, format!("no value with model={}", bound.text("model"))));
    }
    faults.or(())?;
    let given = |name: &str| bound.int_or_none(name).map(|number| number as u32);
    let number = |name: &str, default: u32| given(name).unwrap_or(default);
    if booksim {
        return Ok(Switch::Input(Input::Wormhole(Wormhole {
            channels: number("channels", CHANNELS),
            buffer_flits: number("buffer_flits", 8) as u16,
            packet_flits: number("packet_flits", 1) as u16,
            link_latency: given("link_latency"),
            global_latency: given("global_latency"),
            credit_delay: number("credit_delay", 2),
            dragonfly: match bound.text("stages") {
                "plain" => Some(false),
                "dragonfly" => Some(true),
                _ => None,
            },
            ugal: bound.bool("ugal"),
        })));
    }
    let settings = Settings {
        channels: number("channels", CHANNELS),
        buffer_packets: number("buffer_packets", 4),
        injection_packets: number("injection_packets", 8),
        packet_phits: number("packet_phits", 16),
        credit_delay: number("credit_delay", 0),
        taking: Taking::Drawn,
        once: bound.is_given("choice") && bound.text("choice") == "once",
        seed: 1,
    };
    let (channels, link_delay) = (given("channels"), given("link_delay"));
    Ok(Switch::Input(Input::CutThrough(CutThrough { settings, channels, link_delay })))
}
