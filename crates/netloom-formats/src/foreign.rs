//! Files of other programs that netloom does not read: what they are, and what to give instead.

use crate::head::Head;

/// A kind of file of other programs.
pub struct Foreign {
    pub what: &'static str,
    begins: fn(&Head) -> bool,
    /// The format of traces as which it is read, if it is.
    pub read_as: Option<&'static str>,
    /// What goes in its place.
    pub instead: &'static str,
}

/// One that is not read at all.
const fn unread(what: &'static str, begins: fn(&Head) -> bool, instead: &'static str) -> Foreign {
    Foreign { what, begins, read_as: None, instead }
}

/// One that is read as a trace.
const fn trace(what: &'static str, begins: fn(&Head) -> bool, format: &'static str) -> Foreign {
    Foreign { what, begins, read_as: Some(format), instead: AS_TRACE }
}

const MESSAGES: &str = "give its messages as a table with the header src,dst,bytes and, if wanted, time (traffic-csv)";
const AS_TRACE: &str = "it is a trace: give it as --trace; netloom describe says what it holds";
const DATABASE: &str = "a profile of Nsight Systems is a trace: give it as --trace";
const NODE: &str = "it describes one node: give it to netloom node, which prints a --node";
const MEASURED: &str = "it holds measured times: netloom calibrate reads osu_latency, osu_bw and IMB-MPI1 PingPong";
const UNPACK: &str = "unpack it first";

static ALL: &[Foreign] = &[
    unread(
        "a profile of PyTorch (Kineto)",
        |head| json(head) && head.text.contains("\"traceEvents\"") && head.text.contains("\"deviceProperties\""),
        AS_TRACE,
    ),
    unread("a trace of Chrome's format", |head| json(head) && head.text.contains("\"traceEvents\""), MESSAGES),
    trace("a profile of IPM", |head| head.has_element("ipm_job_profile") || head.has_element("IPM"), "ipm"),
    trace("an anchor file of OTF2", otf2, "otf2"),
    trace(
        "a trace of DUMPI",
        |head| head.bytes.starts_with(b"\xff\xaa\xddDUMPI") || dumpi_meta(head) || head.text.contains(DUMPI_ASCII),
        "dumpi",
    ),
    trace("a schedule of GOAL (LogGOPSim)", |head| head.first_words().first() == Some(&"num_ranks"), "goal"),
    unread(
        "a database of SQLite (Nsight Systems, mpisee)",
        |head| head.bytes.starts_with(b"SQLite format 3\0"),
        DATABASE,
    ),
    unread("a topology of hwloc", |head| head.has_element("topology") && head.has_element("object"), NODE),
    unread("a topology of NCCL", |head| head.has_element("system") && head.has_element("cpu"), NODE),
    unread("a log of NCCL", |head| head.text.contains(" NCCL INFO "), AS_TRACE),
    unread(
        "output of nccl-tests",
        |head| head.text.contains("# nThread ") || head.text.contains("# nccl-tests"),
        MEASURED,
    ),
    unread("output of the OSU micro-benchmarks", |head| head.text.contains("# OSU "), MEASURED),
    unread("output of the Intel MPI Benchmarks", |head| head.text.contains("# Benchmarking "), MEASURED),
    unread("an archive of HDF5", |head| head.bytes.starts_with(b"\x89HDF\r\n"), MESSAGES),
    unread("a table of Parquet", |head| head.bytes.starts_with(b"PAR1"), MESSAGES),
    unread("a workbook or another zip archive", |head| head.bytes.starts_with(b"PK\x03\x04"), UNPACK),
    unread("compressed by gzip", |head| head.bytes.starts_with(b"\x1f\x8b"), UNPACK),
    unread("compressed by xz", |head| head.bytes.starts_with(b"\xfd7zXZ\0"), UNPACK),
    unread("compressed by zstd", |head| head.bytes.starts_with(b"\x28\xb5\x2f\xfd"), UNPACK),
    unread(
        "a pickle of Python",
        |head| matches!(head.bytes, [0x80, 2..=5, ..]),
        "pickles are never read, since they execute code: save with numpy.save or as a table",
    ),
];

/// What the file with this beginning is, if other programs make it.
pub fn foreign(bytes: &[u8]) -> Option<&'static Foreign> {
    let head = Head::of(bytes);
    ALL.iter().find(|known| (known.begins)(&head))
}

fn json(head: &Head) -> bool {
    head.text.trim_start().starts_with('{')
}

/// Of each call in a text of dumpi2ascii.
const DUMPI_ASCII: &str = " entering at walltime ";

/// Anchor files name their format within the first bytes, which are binary.
fn otf2(head: &Head) -> bool {
    let start = &head.bytes[..head.bytes.len().min(64)];
    start.windows(4).any(|four| four == b"OTF2")
}

fn dumpi_meta(head: &Head) -> bool {
    let mut keys = head.lines().filter_map(|line| line.split_once('=')).map(|(key, _)| key.trim());
    head.text.contains("numprocs=") && keys.any(|key| key == "fileprefix")
}

#[cfg(test)]
mod tests {
    use netloom_model::{Network, Traffic};

    use super::*;

    #[test]
    fn files_of_others_are_named() {
        let cases: &[(&[u8], &str)] = &[
            (b"{\"schemaVersion\": 1, \"deviceProperties\": [], \"traceEvents\": []}", "Kineto"),
            (b"{\"traceEvents\": []}", "Chrome"),
            (b"<?xml version=\"1.0\"?>\n<ipm_job_profile>\n<task mpi_rank=\"0\">", "IPM"),
            (b"\x00\x01OTF2\x02\x03", "OTF2"),
            (b"hostname=n1\nnumprocs=4\nfileprefix=dumpi-2020\n", "DUMPI"),
            (b"\xff\xaa\xddDUMPI", "DUMPI"),
            (b"// made by hand\nnum_ranks 2\nrank 0 {", ""),
            (b"num_ranks 2\nrank 0 {", "GOAL"),
            (b"SQLite format 3\0....", "SQLite"),
            (b"<topology version=\"2.0\"><object type=\"Machine\"/></topology>", "hwloc"),
            (b"<system version=\"1\"><cpu numaid=\"0\"/></system>", "NCCL"),
            (b"n1:7:7 [0] NCCL INFO Bootstrap", "NCCL"),
            (b"# OSU MPI Latency Test v7.5\n", "OSU"),
            (b"\x80\x04\x95abc", "pickle"),
            (b"\x1f\x8b\x08", "gzip"),
            (b"src,dst,bytes\n0,1,5\n", ""),
            (b"{\"nodes\": [], \"edges\": []}", ""),
            (b"<platform version=\"4.1\"/>", ""),
        ];
        for (bytes, name) in cases {
            let found = foreign(bytes);
            assert_eq!(found.is_some(), !name.is_empty(), "{name}");
            let Some(Foreign { what, instead, .. }) = found else { continue };
            assert!(what.contains(name), "{what} {name}");
            // Whatever the file is called, and whatever is wanted of it.
            for place in ["f.json", "f.xml", "f.csv", "f"] {
                for text in [
                    crate::read::<Network>(bytes, place, None, ()).unwrap_err().to_string(),
                    crate::read::<Traffic>(bytes, place, None, ()).unwrap_err().to_string(),
                ] {
                    assert!(
                        text.contains("NL-F016") && text.contains(*what) && text.contains(*instead),
                        "{place}: {text}"
                    );
                }
            }
        }
    }
}
