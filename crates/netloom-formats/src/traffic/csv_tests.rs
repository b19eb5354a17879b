//! Tables of messages: lines as long as their header, quoted fields, times, columns without a meaning.

use netloom_model::{Call, Op, Outcome, Programs, Traffic};

fn read(text: &str) -> Outcome<Traffic> {
    crate::read::<Traffic>(text.as_bytes(), "f", Some(&Call::bare("csv")), ())
}

fn fault(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn a_line_has_as_many_fields_as_the_header() {
    // Separators of thousands, a field too few, a separator at the end.
    let long = fault("src,dst,bytes\n0,1,5\n0,1,1,000\n");
    assert!(long.contains("NL-F003 f:3:1: 4 fields where the header has 3 columns"), "{long}");
    for line in ["0,1", "0,1,5,", "0,1,\"5\",6", "0"] {
        assert!(fault(&format!("src,dst,bytes\n{line}\n")).contains("where the header has 3 columns"), "{line}");
    }
    assert!(fault("src\tdst\tbytes\n0\t1\t\t5\n").contains("4 fields"));
    assert_eq!(read("src\tdst\tbytes\tnote\n0\t1\t5\t\n").unwrap().bytes(), 5);
    let all = fault(&format!("src,dst,bytes\n{}", "0,1,2,3\n".repeat(50)));
    assert!(all.contains("and 30 more faults"), "{all}");
}

#[test]
fn a_point_before_three_digits_may_be_of_thousands_where_semicolons_separate() {
    let either = fault("src;dst;bytes\n0;1;1.000\n");
    assert!(either.contains("bytes must be whole numbers of bytes"), "{either}");
    assert_eq!(read("src;dst;bytes\n0;1;1000.0\n").unwrap().bytes(), 1000);
    assert_eq!(read("src,dst,bytes\n0,1,1.000\n").unwrap().bytes(), 1);
}

#[test]
fn quotes_are_those_of_rfc_4180() {
    let quoted =
        "\"src\",\"dst\",\"bytes\",\"a \"\"good\"\", long name\"\n\"0\",\"1\",\"7\",\"x, \"\"y\"\"\"\n1 , \"0\" ,8,\n";
    let traffic = read(quoted).unwrap();
    assert_eq!((traffic.bytes(), traffic.messages()), (15, 2));
    assert!(traffic.notes[0].contains("column a \"\"good\"\", long name (1)"), "{:?}", traffic.notes);
    for (line, what) in [
        ("\"0,1,5", "does not end on its line"),
        ("\"0\"x,1,5", "text behind the end"),
        ("0\"0\",1,5", "a quote inside a field"),
    ] {
        assert!(fault(&format!("src,dst,bytes\n{line}\n")).contains(what), "{line}");
    }
}

#[test]
fn columns_are_used_or_noted_and_none_is_there_twice() {
    let traffic = read("tag,src,dst,bytes,,tag\n1,0,1,5,,2\n").unwrap();
    assert_eq!(traffic.notes, ["in the traffic file and not used: column tag (2), column without a name (1)"]);
    assert!(read("src,dst,bytes\n0,1,5\n").unwrap().notes.is_empty());
    for header in ["src,dst,bytes,bytes", "src,dst,bytes,size_bytes", "src,source,dst,bytes"] {
        assert!(fault(&format!("{header}\n0,1,5,5\n")).contains("NL-F006"), "{header}");
    }
}

#[test]
fn times_become_starts() {
    let text = "src,dst,bytes,time\n0,1,5,2 us\n1,0,6,0\n0,1,7,1e-6\n0,0,9,3\n";
    for name in ["time", "start_s"] {
        let traffic = read(&text.replace("time", name)).unwrap();
        let starts: Vec<_> = traffic.starts().iter().map(|s| (s.start_s, s.flow.src, s.flow.bytes)).collect();
        assert_eq!(starts, [(0.0, 1, 6), (1e-6, 0, 7), (2e-6, 0, 5)], "{name}");
        assert_eq!(traffic.flows().iter().map(|f| f.bytes).collect::<Vec<_>>(), [12, 6]);
        assert!(traffic.notes[0].starts_with("3 flows start at times of their own"), "{:?}", traffic.notes);
        let programs = Programs::of_traffic(&traffic).unwrap();
        let (receive, send) =
            (Op::StartReceive { peer: 1, tag: 0, bytes: 6 }, |bytes| Op::StartSend { peer: 1, tag: 0, bytes });
        let sleep = Op::Sleep { seconds: 1e-6 };
        assert_eq!(programs.of(0), [receive, sleep, send(7), sleep, send(5), Op::WaitAll]);
        let again = crate::write(&traffic, &Call::bare("csv"), ()).unwrap();
        assert_eq!(read(std::str::from_utf8(&again).unwrap()).unwrap().starts(), traffic.starts());
        assert!(crate::write(&traffic, &Call::bare("npy"), ()).unwrap_err().to_string().contains("times of their own"));
    }
    for time in ["", "-1", "soon", "nan", "inf", "1 parsec"] {
        let text = fault(&format!("src,dst,bytes,time\n0,1,5,{time}\n"));
        assert!(text.contains("NL-F009 f:2:1 time must be seconds"), "{time}: {text}");
    }
}
