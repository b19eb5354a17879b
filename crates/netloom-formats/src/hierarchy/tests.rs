use super::read;

const EPYC: &str = include_str!("../../../../tests/data/hwloc/two_sockets.xml");

fn counts(text: &str) -> ([u32; 4], Option<u32>) {
    let found = read(text.as_bytes(), "f").unwrap_or_else(|faults| panic!("{faults}"));
    (found.counts, found.nodes)
}

fn said(text: &str) -> String {
    let faults = read(text.as_bytes(), "f").unwrap_err();
    assert_eq!(faults.0.len(), 1, "{faults}");
    faults.0[0].to_string()
}

#[test]
fn the_three_forms_agree() {
    assert_eq!(counts(EPYC), ([2, 4, 2, 8], None));
    assert_eq!(counts("package:2 numa:4 l3:2 core:8 pu:1"), ([2, 4, 2, 8], None));
    assert_eq!(counts("16,2,4,2,8"), ([2, 4, 2, 8], Some(16)));
    assert_eq!(counts("16,2,2,8\n"), ([2, 2, 1, 8], Some(16)));
    assert_eq!(counts("pack:2(attr=1 x) [numa] die:2 l3:1(size=32MB) l2:4 core:1 pu:2"), ([2, 2, 4, 1], None));
    assert_eq!(counts("pu:8"), ([1, 1, 1, 8], None));
}

#[test]
fn units_that_differ_are_refused_with_the_reason() {
    let cut = EPYC.replacen("type=\"Core\"", "type=\"Misc\"", 1);
    let text = said(&cut);
    assert!(text.starts_with("NL-F018 f: caches differ: one has 7 cores, another 8"), "{text}");
    let none = said(&EPYC.replace("type=\"Core\"", "type=\"Misc\""));
    assert!(none.starts_with("NL-F010"), "{none}");
}

#[test]
fn bad_text_is_one_line() {
    for (text, code) in [
        ("16,0,2", "NL-F009"),
        ("16,2,x", "NL-F009"),
        ("16", "NL-F003"),
        ("1,2,3,4,5,6", "NL-F003"),
        ("99999,99999", "NL-F001"),
        ("99999999999999999999,2", "NL-F009"),
        ("rack:2 core:4", "NL-F003"),
        ("core:4 package:2", "NL-F013"),
        ("core:x", "NL-F009"),
        ("<a/>", "NL-F003"),
        ("<topology version=\"2.0\"></topology>", "NL-F010"),
        ("<!DOCTYPE t [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><topology>&b;</topology>", "NL-F013"),
        (&EPYC[..EPYC.len() / 2], "NL-F003"),
    ] {
        let text = said(text);
        assert!(text.starts_with(code), "{text}");
    }
    let deep = "<object>".repeat(1 << 16);
    assert!(said(&format!("<topology>{deep}")).starts_with("NL-F005"));
}

#[test]
fn a_file_cut_at_any_byte_is_read_or_refused() {
    for end in (0..EPYC.len()).step_by(97) {
        assert!(read(&EPYC.as_bytes()[..end], "f").is_err());
    }
}
