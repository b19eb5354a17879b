//! Every element and attribute that `simgrid.dtd` 4.1 defines is used, refused or in a note.

use netloom_model::{Call, Network};

use crate::Read;

/// A platform in which each element that takes attributes occurs; `{name}` stands for those of the first of its kind.
const PLATFORM: &str = r#"<platform {platform}>
  {more}
  <zone {zone}>
    <zone id="f" routing="Floyd">
      {inside}
      <host {host}>{host-inside}</host><host id="b" speed="1Gf"/>
      <router {router}/>
      <link id="la" bandwidth="1GBps" latency="1us" sharing_policy="SPLITDUPLEX"/><link id="lb" bandwidth="1GBps" latency="1us" sharing_policy="SPLITDUPLEX"/>
      <route {route}><link_ctn {link_ctn}/></route>
      <route src="b" dst="r"><link_ctn id="lb"/></route>
    </zone>
    <cluster {cluster}/>
    <zone id="k" routing="Cluster">
      <host id="h" speed="1Gf"/><host id="h2" speed="1Gf"/><router id="kr"/>
      <link id="u" bandwidth="1GBps" latency="1us" sharing_policy="SPLITDUPLEX"/><link id="v" bandwidth="1GBps" sharing_policy="SPLITDUPLEX"/>
      <host_link {host_link}/><host_link id="h2" up="v" down="v"/>
      <cabinet {cabinet}/>
      {in-cluster-zone}
    </zone>
    <link {link}/><link id="y" bandwidth="1GBps" latency="1us"/>
    <zoneRoute {zoneRoute}><link_ctn id="x"/></zoneRoute>
    <zoneRoute src="f" dst="k" gw_src="r" gw_dst="kr"><link_ctn id="y"/></zoneRoute>
  </zone>
</platform>"#;

const DEFAULTS: [(&str, &[(&str, &str)]); 11] = [
    ("platform", &[("version", "4.1")]),
    ("zone", &[("id", "w"), ("routing", "Full")]),
    ("host", &[("id", "a"), ("speed", "1Gf")]),
    ("router", &[("id", "r")]),
    ("link", &[("id", "x"), ("bandwidth", "1GBps"), ("latency", "1us")]),
    ("route", &[("src", "a"), ("dst", "r")]),
    ("link_ctn", &[("id", "la")]),
    (
        "cluster",
        &[
            ("id", "c"),
            ("prefix", "n"),
            ("radical", "0-3"),
            ("suffix", ""),
            ("speed", "1Gf"),
            ("bw", "1GBps"),
            ("lat", "1us"),
        ],
    ),
    ("host_link", &[("id", "h"), ("up", "u_UP"), ("down", "u_DOWN")]),
    (
        "cabinet",
        &[
            ("id", "q"),
            ("prefix", "q"),
            ("radical", "0-1"),
            ("suffix", ""),
            ("speed", "1Gf"),
            ("bw", "1GBps"),
            ("lat", "1us"),
        ],
    ),
    ("zoneRoute", &[("src", "f"), ("dst", "c"), ("gw_src", "r"), ("gw_dst", "nc_router")]),
];

/// An attribute, a value, and what becomes of it.
type Attribute = (&'static str, &'static str, &'static str);

/// The attributes of the document type with a value other than the default, and what must come of it.
const ATTRIBUTES: &[(&str, &[Attribute])] = &[
    ("platform", &[("version", "5", "refused")]),
    ("zone", &[("id", "other", "label"), ("routing", "Vivaldi", "refused")]),
    (
        "host",
        &[
            ("id", "other", "refused"),
            ("speed", "2Gf", "noted"),
            ("core", "4", "noted"),
            ("pstate", "1", "noted"),
            ("coordinates", "0 0 0", "noted"),
            ("availability_file", "f", "noted"),
            ("speed_file", "f", "noted"),
            ("state_file", "f", "noted"),
            ("state", "OFF", "used"),
        ],
    ),
    ("router", &[("id", "other", "refused"), ("coordinates", "0 0 0", "noted")]),
    (
        "link",
        &[
            ("id", "other", "refused"),
            ("bandwidth", "100MBps", "used"),
            ("latency", "9us", "used"),
            ("sharing_policy", "SPLITDUPLEX", "used"),
            ("sharing_policy", "WIFI", "refused"),
            ("state", "OFF", "used"),
            ("bandwidth_file", "f", "noted"),
            ("latency_file", "f", "noted"),
            ("state_file", "f", "noted"),
        ],
    ),
    (
        "route",
        &[
            ("src", "other", "refused"),
            ("dst", "other", "refused"),
            ("symmetrical", "NO", "noted"),
            ("symmetrical", "perhaps", "refused"),
            ("gw_src", "a", "noted"),
            ("gw_dst", "a", "noted"),
        ],
    ),
    ("link_ctn", &[("id", "other", "refused"), ("direction", "SIDEWAYS", "refused")]),
    (
        "cluster",
        &[
            ("id", "other", "refused"),
            ("prefix", "m", "refused"),
            ("suffix", ".x", "refused"),
            ("radical", "0-4", "used"),
            ("bw", "100MBps", "used"),
            ("lat", "9us", "used"),
            ("sharing_policy", "SHARED", "used"),
            ("topology", "RING", "refused"),
            ("topo_parameters", "2,2", "noted"),
            ("router_id", "other", "refused"),
            ("speed", "2Gf", "noted"),
            ("core", "4", "noted"),
            ("bb_bw", "1GBps", "noted"),
            ("bb_lat", "1us", "noted"),
            ("bb_sharing_policy", "FATPIPE", "noted"),
            ("loopback_bw", "1GBps", "noted"),
            ("loopback_lat", "1us", "noted"),
            ("limiter_link", "1GBps", "noted"),
            ("availability_file", "f", "noted"),
            ("state_file", "f", "noted"),
        ],
    ),
    ("host_link", &[("id", "other", "refused"), ("up", "other", "refused"), ("down", "other", "refused")]),
    (
        "cabinet",
        &[
            ("id", "other", "label"),
            ("prefix", "p", "used"),
            ("suffix", ".x", "used"),
            ("radical", "0-2", "used"),
            ("speed", "2Gf", "noted"),
            ("bw", "100MBps", "used"),
            ("lat", "9us", "used"),
        ],
    ),
    (
        "zoneRoute",
        &[
            ("src", "other", "label"),
            ("dst", "other", "label"),
            ("gw_src", "other", "refused"),
            ("gw_dst", "other", "refused"),
            ("symmetrical", "NO", "noted"),
        ],
    ),
];

/// Elements in the place where they may stand, and what must come of them.
const ELEMENTS: &[(&str, &str, &str)] = &[
    ("more", "<config id=\"c\"><prop id=\"network/model\" value=\"CM02\"/></config>", "<config>"),
    ("more", "<random id=\"r\" min=\"0\" max=\"1\" mean=\"0\" std_deviation=\"0\"/>", "<random>"),
    ("more", "<trace id=\"t\" file=\"f\" periodicity=\"1\"/>", "<trace>"),
    ("more", "<trace_connect kind=\"BANDWIDTH\" trace=\"t\" element=\"la\"/>", "<trace_connect>"),
    ("more", "<storage_type id=\"s\" size=\"1\"/>", "<storage_type>"),
    ("more", "<actor host=\"a\" function=\"f\"/>", "<actor>"),
    ("more", "<process host=\"a\" function=\"f\"/>", "<process>"),
    ("more", "<include file=\"other.xml\"/>", "refused"),
    ("inside", "<prop id=\"p\" value=\"v\"/>", "<prop>"),
    ("inside", "<peer id=\"p\" speed=\"1f\" bw_in=\"1Bps\" bw_out=\"1Bps\"/>", "refused"),
    ("inside", "<storage id=\"s\" typeId=\"t\" attach=\"a\"/>", "<storage>"),
    ("inside", "<bypassRoute src=\"a\" dst=\"b\"><link_ctn id=\"lb\"/></bypassRoute>", "<bypassRoute>"),
    ("inside", "<bypassZoneRoute src=\"f\" dst=\"c\" gw_src=\"a\" gw_dst=\"b\"/>", "<bypassZoneRoute>"),
    ("inside", "<bypassASroute src=\"f\" dst=\"c\" gw_src=\"a\" gw_dst=\"b\"/>", "<bypassASroute>"),
    ("inside", "<host_link id=\"a\" up=\"la\" down=\"la\"/>", "refused"),
    ("inside", "<unheard_of/>", "refused"),
    ("host-inside", "<prop id=\"p\" value=\"v\"/>", "<prop>"),
    ("host-inside", "<disk id=\"d\" read_bw=\"1MBps\" write_bw=\"1MBps\"/>", "<disk>"),
    ("host-inside", "<mount storageId=\"s\" name=\"n\"/>", "<mount>"),
    ("in-cluster-zone", "<backbone id=\"b\" bandwidth=\"1GBps\" latency=\"1us\"/>", "backbone of zone"),
];

/// The file with one attribute changed or added, or one element put in.
fn file(element: &str, attribute: Option<(&str, &str)>) -> String {
    let mut text = PLATFORM.to_string();
    for (name, defaults) in DEFAULTS {
        let mut all: Vec<(&str, &str)> = defaults.to_vec();
        if let Some((key, value)) = attribute.filter(|_| name == element) {
            all.retain(|(known, _)| *known != key);
            all.push((key, value));
        }
        let all: Vec<String> = all.iter().map(|(key, value)| format!("{key}=\"{value}\"")).collect();
        text = text.replace(&format!("{{{name}}}"), &all.join(" "));
    }
    if let Some((_, inside)) = attribute {
        text = text.replace(&format!("{{{element}}}"), inside);
    }
    for place in ["more", "inside", "host-inside", "in-cluster-zone"] {
        text = text.replace(&format!("{{{place}}}"), "");
    }
    text
}

fn read(text: &str) -> Result<Read, String> {
    crate::read::<Network>(text.as_bytes(), "p.xml", Some(&Call::bare("simgrid")), ()).map_err(|f| f.to_string())
}

#[test]
fn every_attribute_is_used_refused_or_noted() {
    let base = read(&file("", None)).unwrap();
    for (element, attributes) in ATTRIBUTES {
        for &(key, value, want) in *attributes {
            let got = match read(&file(element, Some((key, value)))) {
                Err(_) => "refused",
                Ok(found) if want == "used" && found.network != base.network => "used",
                Ok(found) if found.notes != base.notes => "noted",
                Ok(found) if found.network != base.network => "used",
                // Every host has a speed, so that it is in the base's note too.
                Ok(found) if key == "speed" && found.notes.iter().any(|n| n.contains("speed of")) => "noted",
                Ok(_) => "label",
            };
            assert_eq!(got, want, "{key} of <{element}>");
        }
    }
}

#[test]
fn the_table_has_what_the_document_type_has() {
    for (element, attributes) in ATTRIBUTES {
        let row = super::table::ELEMENTS.iter().find(|row| row.0 == *element).unwrap();
        for (key, _, _) in *attributes {
            assert!(row.2.iter().any(|known| known.0 == *key), "{key} of <{element}>");
        }
        for known in row.2 {
            assert!(attributes.iter().any(|a| a.0 == known.0), "{} of <{element}>", known.0);
        }
    }
}

#[test]
fn every_element_is_used_refused_or_noted() {
    let base = read(&file("", None)).unwrap();
    for &(place, element, want) in ELEMENTS {
        match read(&file(place, Some(("", element)))) {
            Err(text) => assert_eq!(want, "refused", "{element}: {text}"),
            Ok(found) => {
                assert_eq!(found.network, base.network, "{element}");
                assert!(found.notes.iter().any(|note| note.contains(want)), "{element}: {:?}", found.notes);
            }
        }
    }
}
