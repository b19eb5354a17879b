use netloom_model::traffic::Flow;
use netloom_model::{Call, Outcome, Traffic};
use proptest::prelude::*;

use super::{FORMATS, on_ranks};

fn read(text: &[u8], format: &str) -> Outcome<Traffic> {
    crate::read::<Traffic>(text, "f", Some(&Call::bare(format)), ())
}

fn rows(traffic: &Traffic) -> Vec<[u64; 4]> {
    traffic.flows().iter().map(|f| [f.src.into(), f.dst.into(), f.messages, f.bytes]).collect()
}

fn fault(text: &[u8], format: &str) -> String {
    read(text, format).unwrap_err().0[0].to_string().lines().next().unwrap().to_string()
}

#[test]
fn tables() {
    let read = |text: &str| read(text.as_bytes(), "csv").unwrap();
    let table = read("src,dst,bytes\n0,1,100\n0,1,5\n2,0,1e3\n");
    assert_eq!((table.ranks, table.label.as_str()), (3, "f"));
    assert_eq!(rows(&table), [[0, 1, 2, 105], [2, 0, 1, 1000]]);
    let other = read("# ranks: 9\n\nmessages;colour;bytes;destination;source\n4;red;400;1;0\n");
    assert_eq!((other.ranks, rows(&other)), (9, vec![[0, 1, 4, 400]]));
    let square = read("0\t7\t0\n# half way\n0\t3\t1.0\n2\t0\t0\n");
    assert_eq!((square.ranks, rows(&square)), (3, vec![[0, 1, 1, 7], [1, 2, 1, 1], [2, 0, 1, 2]]));
    assert_eq!(read("0\n").ranks, 1);
    let quoted = read("\"src\",\"dst\" , \"bytes\",\"messages\"\n\"0\", 1,\" 7\",0002\n1,0,0,0\n");
    // A line without messages and bytes says nothing.
    assert_eq!(rows(&quoted), [[0, 1, 2, 7]]);
    assert_eq!(rows(&read("\"0\",\"3\"\n\"4\",0\n")), [[0, 1, 1, 3], [1, 0, 1, 4]]);
    for (text, message) in [
        ("", "NL-F004 f: the file names no rank"),
        ("src,dst,bytes\n", "NL-F004 f: the file names no rank"),
        ("a,b\n1,2\n", "NL-F010 f:1:1: the first line must name the columns src, dst and bytes"),
        ("src,dst,bytes\n0,1\n", "NL-F003 f:2:1: 2 fields where the header has 3 columns"),
        ("src,dst,bytes\n0,-1,5\n", "NL-F009 f:2:1 dst must be ranks from 0 to below 2^24, got \"-1\""),
        ("src,dst,bytes\n16777216,1,5\n", "NL-F009 f:2:1 src must be ranks from 0 to below 2^24, got \"16777216\""),
        ("src,dst,bytes\n0,1,1.5\n", "NL-F009 f:2:1 bytes must be whole numbers of bytes, zero or more, got \"1.5\""),
        (
            "src,dst,bytes,messages\n0,1,1,-1\n",
            "NL-F009 f:2:1 messages must be whole numbers, zero or more, got \"-1\"",
        ),
        (
            "src,dst,bytes,messages\n0,1,5,0\n",
            "NL-F009 f:2:1 messages must be one or more where bytes are sent, got \"0\"",
        ),
        ("0,1\n1,0\n1,1\n", "NL-F003 f:3:1: a square of 2 columns has one line more"),
        ("0,1\n1,0,5\n", "NL-F003 f:2:1: a square of 2 columns has 3 fields"),
        ("0,1\n", "NL-F003 f: a square of 2 columns has 1 lines"),
        ("0,1\nx,0\n", "NL-F009 f:2:1 field 1 of row 1 must be whole numbers of bytes, zero or more, got \"x\""),
        ("0,inf\n0,0\n", "NL-F009 f:1:1 field 2 of row 0 must be whole numbers of bytes, zero or more, got \"inf\""),
        ("# ranks: -3\n0\n", "NL-F009 f:1:1 ranks must be at most 2^24, got \"-3\""),
        (
            "src,dst,bytes\n0,1,9223372036854775807\n0,2,9223372036854775807\n",
            "NL-F001 f:3:1: all bytes or messages together exceed 2^63",
        ),
    ] {
        assert_eq!(fault(text.as_bytes(), "traffic-csv"), message, "{text}");
    }
}

#[test]
fn matrix_market() {
    let read = |text: &str| rows(&read(text.as_bytes(), "mtx").unwrap());
    let general = "%%MatrixMarket matrix coordinate integer general\n% made by hand\n3 3 3\n1 2 10\n3 1 20\n1 2 5\n";
    assert_eq!(read(general), [[0, 1, 2, 15], [2, 0, 1, 20]]);
    let symmetric = "%%MatrixMarket MATRIX Coordinate Real Symmetric\n\n3 3 3\n2 1 1e1\n3 3 4\n3 1 0.0\n";
    assert_eq!(read(symmetric), [[0, 1, 1, 10], [1, 0, 1, 10]]);
    assert_eq!(read("%%MatrixMarket matrix array real general\n2 2\n0\n1\n2\n0\n"), [[0, 1, 1, 2], [1, 0, 1, 1]]);
    assert_eq!(read("%%MatrixMarket matrix array integer symmetric\n2 2\n0\n1\n0\n"), [[0, 1, 1, 1], [1, 0, 1, 1]]);
    let banner = "%%MatrixMarket matrix coordinate integer general\n";
    for (text, message) in [
        (String::new(), "NL-F003 f:1:1: \"\" is not the banner of a matrix"),
        (
            banner.replace("integer", "pattern"),
            "NL-F013 f:1:1 field must be integer, unsigned-integer, real, double, got \"pattern\"",
        ),
        (
            banner.replace("general", "hermitian"),
            "NL-F013 f:1:1 symmetry must be general, symmetric, got \"hermitian\"",
        ),
        (banner.into(), "NL-F010 f: there is no size line"),
        (format!("{banner}3 2 1\n1 1 1\n"), "NL-F009 f:2:1 matrix must be a square of 1 to 2^24 ranks, got \"3 x 2\""),
        (
            format!("{banner}99999999 99999999 1\n1 1 1\n"),
            "NL-F009 f:2:1 matrix must be a square of 1 to 2^24 ranks, got \"99999999 x 99999999\"",
        ),
        (format!("{banner}2 2\n1 1 1\n"), "NL-F003 f:2:1 size line must be rows columns entries, got \"2 2\""),
        (format!("{banner}2 2 2\n1 2 1\n"), "NL-F003 f: 1 entries where the size line says 2"),
        (
            format!("{banner}2 2 1\n1 3 1\n"),
            "NL-F009 f:3:1 entry must be row and column in 1..2 (inclusive), got \"1 3 1\"",
        ),
        (
            format!("{banner}2 2 1\n0 1 1\n"),
            "NL-F009 f:3:1 entry must be row and column in 1..2 (inclusive), got \"0 1 1\"",
        ),
        (
            format!("{banner}2 2 1\n1 2 -4\n"),
            "NL-F009 f:3:1 entry must be whole numbers of bytes, zero or more, got \"-4\"",
        ),
        (format!("{banner}2 2 1\n1 2\n"), "NL-F003 f:3:1 entry must be row column bytes, got \"1 2\""),
        (
            banner.replace("general", "symmetric") + "2 2 1\n1 2 4\n",
            "NL-F003 f:3:1: entry (1, 2) lies above the diagonal of a symmetric matrix",
        ),
        (
            format!("{}2 2\n0\n1\n2\n", banner.replace("coordinate", "array")),
            "NL-F003 f: 3 entries where the size line says 4",
        ),
        (
            format!("{}1 1\n0\n1\n2\n", banner.replace("coordinate", "array")),
            "NL-F003 f: 2 entries where the size line says 1",
        ),
    ] {
        assert_eq!(fault(text.as_bytes(), "matrix-market"), message, "{text}");
    }
}

fn npy(header: &str, data: &[u8]) -> Vec<u8> {
    let length = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00".as_slice(), &length, header.as_bytes(), data].concat()
}

#[test]
fn numpy() {
    let head = |descr: &str, fortran: &str, shape: &str| {
        format!("{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}\n")
    };
    let square = |descr, fortran, data: &[u8]| rows(&read(&npy(&head(descr, fortran, "(2, 2)"), data), "npy").unwrap());
    assert_eq!(square("'|u1'", "False", &[9, 3, 0, 0]), [[0, 1, 1, 3]]);
    assert_eq!(square("'|u1'", "True", &[9, 3, 0, 0]), [[1, 0, 1, 3]]);
    assert_eq!(square("'>i2'", "False", &[0, 0, 1, 2, 0, 0, 0, 0]), [[0, 1, 1, 258]]);
    let reals = [0.0f32, 0.0, 4096.0, 0.0].map(f32::to_le_bytes).concat();
    assert_eq!(square("'<f4'", "False", &reals), [[1, 0, 1, 4096]]);
    let turned = "{ 'shape':(2,2),'descr':'|i1' , 'fortran_order':False}";
    assert_eq!(rows(&read(&npy(turned, &[0, 5, 0, 0]), "npy").unwrap()), [[0, 1, 1, 5]]);
    let long = head("'|u1'", "False", "(1, 1)");
    let two = [b"\x93NUMPY\x02\x00".as_slice(), &(long.len() as u32).to_le_bytes(), long.as_bytes(), &[7]].concat();
    assert_eq!(read(&two, "npy").unwrap().ranks, 1);
    let good = head("'|u1'", "False", "(2, 2)");
    for (file, message) in [
        (vec![], "NL-F003 f: byte 0: does not begin as a NumPy array does"),
        (b"\x93NUMPY\x01\x00".to_vec(), "NL-F003 f: byte 8: the file ends within its header"),
        (b"\x93NUMPY\x09\x00\x00\x00".to_vec(), "NL-F013 f: byte 6: format version 9 is not known"),
        (
            b"\x93NUMPY\x02\x00\xff\xff\xff\xff".to_vec(),
            "NL-F001 f: byte 8: a header of 4294967295 bytes exceeds 65536",
        ),
        (npy(&good, &[1, 2, 3]), "NL-F003 f: data from byte 70 must be 4 bytes for 2 x 2 numbers of 1, got 3 bytes"),
        (
            npy(&head("'|O'", "False", "(2, 2)"), &[0; 4]),
            "NL-F013 f: dtype must be integers or reals: u1 to u8, i1 to i8, f4, f8, got \"'|O'\"",
        ),
        (
            npy(&head("[('a', '<i4')]", "False", "(2, 2)"), &[0; 4]),
            "NL-F013 f: dtype must be integers or reals: u1 to u8, i1 to i8, f4, f8, got \"[('a', '<i4')], 'fortran_order': False, 'shape': (2, 2), }\\n\"",
        ),
        (
            npy(&head("'<c8'", "False", "(2, 2)"), &[0; 4]),
            "NL-F013 f: dtype must be integers or reals: u1 to u8, i1 to i8, f4, f8, got \"'<c8'\"",
        ),
        (
            npy(&head("'|u1'", "Maybe", "(2, 2)"), &[0; 4]),
            "NL-F003 f: byte 68: the header is not one of descr, fortran_order and shape",
        ),
        (
            npy(&head("'|u1'", "False", "(2, 3)"), &[0; 6]),
            "NL-F009 f: shape must be a square of 1 to 2^24 ranks, got (2 x 3)",
        ),
        (
            npy(&head("'|u1'", "False", "(4,)"), &[0; 4]),
            "NL-F009 f: shape must be a square of 1 to 2^24 ranks, got (4)",
        ),
        (
            npy(&head("'|u1'", "False", "(16777216, 16777216)"), &[0; 4]),
            "NL-F003 f: data from byte 84 must be 281474976710656 bytes for 16777216 x 16777216 numbers of 1, got 4 bytes",
        ),
        (
            npy(&head("'|i1'", "False", "(2, 2)"), &[0, 0, 255, 0]),
            "NL-F009 f entry [1, 0] must be whole numbers of bytes, zero or more, got \"-1\"",
        ),
    ] {
        assert_eq!(fault(&file, "npy"), message);
    }
    for value in [f64::NAN, 0.5, -1.0, f64::INFINITY, 1e300] {
        let file = npy(&head("'<f8'", "False", "(1, 1)"), &value.to_le_bytes());
        assert!(fault(&file, "npy").starts_with("NL-F009 f entry [0, 0] must be whole"), "{value}");
    }
}

#[test]
fn what_a_file_is_and_how_many_ranks() {
    for (name, head, format) in [
        ("x", b"\x93NUMPY\x01".as_slice(), "npy"),
        ("x.csv", b"%%MatrixMarket matrix", "matrix-market"),
        ("x.MTX", b"", "matrix-market"),
        ("d.npy/x.csv", b"src", "traffic-csv"),
    ] {
        assert_eq!(crate::detect::<Traffic>(name, head).unwrap().name, format);
    }
    assert!(crate::detect::<Traffic>("x.txt", b"src,dst").is_none());
    let table = b"src,dst,bytes\n0,3,1\n";
    let found = || crate::read::<Traffic>(table, "f.csv", None, ()).unwrap();
    assert_eq!(found().ranks, 4);
    assert_eq!(on_ranks(found(), "f.csv", 9).unwrap().ranks, 9);
    for bad in [3, 0, -1, 1 << 25, i64::MAX] {
        assert_eq!(on_ranks(found(), "f.csv", bad).unwrap_err().0[0].code, "NL-F009", "{bad}");
    }
    let message = crate::read::<Traffic>(table, "f.dat", None, ()).unwrap_err().0[0].to_string();
    assert!(message.starts_with("NL-F016") && message.contains("traffic-csv, matrix-market, npy"), "{message}");
    for wrong in ["rankfile", "graphml"] {
        assert_eq!(read(table, wrong).unwrap_err().0[0].code, "NL-F017");
        let traffic = found();
        assert_eq!(crate::write(&traffic, &Call::bare(wrong), ()).unwrap_err().0[0].code, "NL-F017");
    }
    assert_eq!(read(table, "mxt").unwrap_err().0[0].code, "NL-A002");
}

fn any_traffic() -> impl Strategy<Value = Traffic> {
    (1u32..12).prop_flat_map(|ranks| {
        let flow = (0..ranks, 0..ranks, 1u64..5, 1u64..1 << 50);
        proptest::collection::vec(flow, 0..30).prop_map(move |flows| {
            let flow = |(src, dst, messages, bytes)| Flow { src, dst, messages, bytes };
            Traffic::new("f", ranks, flows.into_iter().map(flow).collect())
        })
    })
}

#[test]
fn what_cannot_be_written_is_refused() {
    let silent = Traffic::new("t", 2, vec![Flow { src: 0, dst: 1, messages: 3, bytes: 0 }]);
    let wide = Traffic::new("t", 1 << 14, Vec::new());
    for (traffic, format, code) in [(&silent, "npy", "NL-F018"), (&silent, "mtx", "NL-F018"), (&wide, "npy", "NL-F001")]
    {
        assert_eq!(crate::write(traffic, &Call::bare(format), ()).unwrap_err().0[0].code, code);
    }
    let kept = read(&crate::write(&silent, &Call::bare("csv"), ()).unwrap(), "csv").unwrap();
    assert_eq!(kept.flows(), silent.flows());
}

proptest! {
    #[test]
    fn traffic_is_read_as_it_was_written(traffic in any_traffic()) {
        for row in FORMATS.rows {
            let bytes = crate::write(&traffic, &Call::bare(row.name), ()).unwrap();
            prop_assert_eq!(crate::detect::<Traffic>(&format!("x.{}", row.extensions[0]), &bytes).unwrap().name, row.name);
            let found = read(&bytes, row.name).unwrap();
            prop_assert_eq!(found.ranks, traffic.ranks);
            let pairs = |t: &Traffic| t.flows().iter().map(|f| (f.src, f.dst, f.bytes)).collect::<Vec<_>>();
            prop_assert_eq!(pairs(&found), pairs(&traffic));
            if row.name == "traffic-csv" {
                // What ranks send to themselves is not written.
                let mut written = traffic.clone();
                written.own = (0, 0);
                prop_assert_eq!(&found, &written);
            }
        }
    }

    /// A file that is cut, or has one byte changed, is read or refused.
    #[test]
    fn any_bytes_are_read_or_refused(traffic in any_traffic(), at in 0usize..400, byte in any::<u8>(), cut in any::<bool>()) {
        for row in FORMATS.rows {
            let mut bytes = crate::write(&traffic, &Call::bare(row.name), ()).unwrap();
            let at = at % bytes.len();
            if cut { bytes.truncate(at) } else { bytes[at] = byte }
            match read(&bytes, row.name) {
                Ok(traffic) => prop_assert!(traffic.flows().iter().all(|f| f.src.max(f.dst) < traffic.ranks)),
                Err(faults) => prop_assert!(faults.0.iter().all(|f| f.code.starts_with("NL-"))),
            }
        }
    }
}
