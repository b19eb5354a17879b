//! Records cross to another process and come back.

use super::wire::Wire;
use crate::event::message::Arrival;
use crate::event::state::Packet;
use crate::observe::seen::{JobSeen, LinkSeen};
use crate::parallel::mail::{Credit, Mail, SentPacket};

#[test]
fn what_is_put_is_taken_and_what_is_cut_is_not() {
    let packet = Packet { word: u64::MAX, tail: 7, hops: 3, ..Packet::new(0x2f) };
    let mail = Mail {
        packets: vec![SentPacket { at: 2, link: 3, packet }; 2],
        credits: vec![Credit { lane: 5, bytes: 6, free_at: 7, factor: 8 }],
        kept: (9, 10),
    };
    let arrival = Arrival { at: 2, said: 1, id: 3, flow_ps: 4, alone_ps: 0.1, hops: 6 };
    let mut bytes = Vec::new();
    (mail.clone(), vec![arrival]).put(&mut bytes);
    let all = <(Mail, Vec<Arrival>)>::take(&mut &bytes[..]).unwrap();
    assert_eq!(format!("{all:?}"), format!("{:?}", (mail, vec![arrival])));
    for cut in 0..bytes.len() {
        assert!(<(Mail, Vec<Arrival>)>::take(&mut &bytes[..cut]).is_none(), "{cut}");
    }
    let job = JobSeen { by_hops: vec![(1, 1 << 90)], sources: [(3, (4, 5))].into(), ..JobSeen::default() };
    let link = LinkSeen { held: Some((0.5, 2.0)), ..LinkSeen::default() };
    bytes.clear();
    (vec![(7u32, link)], job.clone()).put(&mut bytes);
    let all = <(Vec<(u32, LinkSeen)>, JobSeen)>::take(&mut &bytes[..]);
    assert_eq!(all, Some((vec![(7, link)], job)));
    assert!(Vec::<u64>::take(&mut &[255u8, 255, 255, 255, 1][..]).is_none());
}
