//! How messages choose among their candidate paths: the registry of variants (Jain 2016 §3.2.2).

use netloom_model::{Bound, Call, Kind, Outcome, Param, Registry, Row};

/// The candidate paths, and the rule for the share of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// True: in proportion to the bandwidth that the paths get; false: in fixed shares.
    pub adaptive: bool,
    pub candidates: Candidates,
    pub packets: Packets,
}

/// What packets do beyond that: flows have no counterpart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packets {
    Plain,
    /// The paths in turn.
    Sprayed,
    /// On channels of their own, or by an escape routing.
    Escape,
    /// By the queues of whole paths.
    Global,
    /// Again after the first hop.
    Progressive,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Candidates {
    /// The paths of the routing, the same in every iteration.
    Direct,
    /// One detour over a random switch for each packet of this many bytes.
    PerPacket { bytes: u64 },
    /// One path of the routing for each pair of endpoints, chosen by a hash.
    Hashed { seed: u64 },
    /// `paths` candidates redrawn in every iteration: up to `direct` paths of the routing, the others detours.
    Fresh { paths: u32, direct: u32 },
}

type Build = fn(&Bound) -> Variant;

const FRESH: Param =
    Param::optional("fresh_paths", Kind::Int { min: 1, max: 64 }, "4", "candidates per flow and iteration");
const DIRECT: Param =
    Param::optional("direct_paths", Kind::Int { min: 0, max: 64 }, "2", "at most this many are direct");
const SOURCE: &str = "Jain 2016, section 3.2.2";

/// In the order of the paper.
pub static VARIANTS: Registry<Build> = Registry {
    kind: "variants",
    what: "variant",
    rows: &[
        Row {
            name: "static-direct",
            aliases: &["SD", "sd"],
            summary: "the paths of the routing, in the shares of the routing",
            params: &[],
            example: "static-direct",
            restrictions: "",
            source: SOURCE,
            build: |_| Variant::DIRECT,
        },
        Row {
            name: "hashed",
            aliases: &["ecmp"],
            summary: "one path of the routing for each pair of endpoints, chosen by a hash: equal-cost multi-path",
            params: &[Param::optional("seed", Kind::Int { min: 0, max: i64::MAX }, "1", "of the hash")],
            example: "hashed(seed=3)",
            restrictions: "for simulated time; link loads merge the messages between two switches",
            source: "Hopps, RFC 2992 (2000)",
            build: |bound| Variant {
                adaptive: false,
                candidates: Candidates::Hashed { seed: bound.int("seed") as u64 },
                packets: Packets::Plain,
            },
        },
        Row {
            name: "sprayed",
            aliases: &["spray"],
            summary: "packets: each on another path of the routing, in turn, so that any run of them spreads evenly; flows: the same as \
                      static-direct",
            params: &[],
            example: "sprayed",
            restrictions: "",
            source: "Dixit et al., On the impact of packet spraying in data center networks, INFOCOM 2013",
            build: |_| Variant { packets: Packets::Sprayed, ..Variant::DIRECT },
        },
        Row {
            name: "static-indirect",
            aliases: &["SI", "si"],
            summary: "packet by packet over a random intermediate switch, as Valiant",
            params: &[Param::optional(
                "packet_bytes",
                Kind::Int { min: 1, max: 1 << 62 },
                "65536",
                "each packet takes its own detour; the paper does not state its size",
            )],
            example: "static-indirect(packet_bytes=4096)",
            restrictions: "",
            source: SOURCE,
            build: |bound| Variant {
                adaptive: false,
                candidates: Candidates::PerPacket { bytes: bound.int("packet_bytes") as u64 },
                packets: Packets::Plain,
            },
        },
        Row {
            name: "adaptive-direct",
            aliases: &["AD", "ad"],
            summary: "the paths of the routing, in proportion to the bandwidth that they get",
            params: &[],
            example: "adaptive-direct",
            restrictions: "",
            source: SOURCE,
            build: |_| Variant { adaptive: true, ..Variant::DIRECT },
        },
        Row {
            name: "adaptive-indirect",
            aliases: &["AI", "ai"],
            summary: "random detours, redrawn in every iteration, by the bandwidth that they get",
            params: &[FRESH],
            example: "adaptive-indirect(fresh_paths=8)",
            restrictions: "",
            source: SOURCE,
            build: |bound| Variant {
                adaptive: true,
                candidates: Candidates::Fresh { paths: bound.size("fresh_paths"), direct: 0 },
                packets: Packets::Plain,
            },
        },
        Row {
            name: "adaptive-hybrid",
            aliases: &["AH", "ah", "ugal-l"],
            summary: "some paths of the routing and random detours, in link loads by the bandwidth that they get: UGAL that knows \
                      all links (UGAL-global); packets: by the queue of the first link of each (UGAL-local)",
            params: &[FRESH, DIRECT],
            example: "adaptive-hybrid(fresh_paths=8,direct_paths=4)",
            restrictions: "",
            source: SOURCE,
            build: |bound| hybrid(bound, Packets::Plain),
        },
        Row {
            name: "adaptive-global",
            aliases: &["ugal-g"],
            summary: "packets: as adaptive-hybrid, by the queues of whole paths in place of the first one: UGAL-global; flows: the \
                      same as adaptive-hybrid",
            params: &[FRESH, DIRECT],
            example: "adaptive-global",
            restrictions: "",
            source: "Singh, Load-balanced routing in interconnection networks, PhD thesis, Stanford 2005; Besta and Hoefler, \
                     Slim Fly, SC 2014, section IV",
            build: |bound| hybrid(bound, Packets::Global),
        },
        Row {
            name: "adaptive-progressive",
            aliases: &["par"],
            summary: "packets: as adaptive-hybrid, and those that went directly choose again after their first hop, if they are \
                      still in their group; flows: the same as adaptive-hybrid",
            params: &[FRESH, DIRECT],
            example: "adaptive-progressive",
            restrictions: "networks with groups",
            source: "Jiang, Kim and Dally, Indirect adaptive routing on large scale interconnection networks, ISCA 2009",
            build: |bound| hybrid(bound, Packets::Progressive),
        },
        Row {
            name: "adaptive-escape",
            aliases: &["escape"],
            summary: "packets: as adaptive-direct on channels of their own, and where those are full on the channels of an escape \
                      routing that cannot deadlock; flows: the same as adaptive-direct",
            params: &[Param::optional(
                "escape",
                Kind::Text,
                "",
                "the escape routing; default on grids dimension-ordered, with input-queued switches dimension-ordered(vc=one), \
                 whose rings are kept open by a bubble; else up-down",
            )],
            example: "adaptive-escape(escape=\"up-down\")",
            restrictions: "",
            source: "Duato, IEEE Trans. Parallel and Distributed Systems 7 (1996); Puente et al., Adaptive bubble router, ICPP 1999",
            build: |_| Variant { adaptive: true, candidates: Candidates::Direct, packets: Packets::Escape },
        },
    ],
    common: &[],
};

fn hybrid(bound: &Bound, packets: Packets) -> Variant {
    let candidates = Candidates::Fresh { paths: bound.size("fresh_paths"), direct: bound.size("direct_paths") };
    Variant { adaptive: true, candidates, packets }
}

impl Variant {
    /// `static-direct`.
    pub const DIRECT: Variant = Variant { adaptive: false, candidates: Candidates::Direct, packets: Packets::Plain };

    /// The variant that a call names.
    ///
    /// # Errors
    /// `NL-A002` for an unknown name, `NL-A003`..`NL-A008` for its arguments.
    pub fn of(call: &Call) -> Outcome<Variant> {
        let (row, bound) = VARIANTS.bind(call)?;
        Ok((row.build)(&bound))
    }

    /// True if its candidates are the same in every iteration.
    pub(super) fn is_direct(self) -> bool {
        self.candidates == Candidates::Direct
    }
}
