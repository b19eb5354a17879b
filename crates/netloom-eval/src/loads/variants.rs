//! How messages choose among their candidate paths: the registry of variants (Jain 2016 §3.2.2).

use netloom_model::{Bound, Call, Kind, Outcome, Param, Registry, Row};

/// The candidate paths, and the rule for the share of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// True: in proportion to the bandwidth that the paths get; false: in fixed shares.
    pub adaptive: bool,
    pub candidates: Candidates,
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
            },
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
            build: |_| Variant { adaptive: true, candidates: Candidates::Direct },
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
            },
        },
        Row {
            name: "adaptive-hybrid",
            aliases: &["AH", "ah"],
            summary: "some paths of the routing and random detours, by the bandwidth that they get: UGAL that knows all links",
            params: &[
                FRESH,
                Param::optional("direct_paths", Kind::Int { min: 0, max: 64 }, "2", "at most this many are direct"),
            ],
            example: "adaptive-hybrid(fresh_paths=8,direct_paths=4)",
            restrictions: "",
            source: SOURCE,
            build: |bound| Variant {
                adaptive: true,
                candidates: Candidates::Fresh { paths: bound.size("fresh_paths"), direct: bound.size("direct_paths") },
            },
        },
    ],
};

impl Variant {
    /// `static-direct`.
    pub const DIRECT: Variant = Variant { adaptive: false, candidates: Candidates::Direct };

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
