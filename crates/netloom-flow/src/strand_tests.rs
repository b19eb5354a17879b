//! Strands of ranks over a network, against closed forms.

use netloom_model::Op;

use super::tests::{alone, near, receive, send, world};

#[test]
fn a_message_outlives_the_strand_that_sent_it() {
    let (strand, late) = (Op::Strand { ops: 1 }, |seconds| Op::Sleep { seconds });
    let bodies = vec![
        vec![strand, send(3, 8), Op::Join],
        vec![],
        // Its strand has the number that the one of rank 0 had.
        vec![late(1e-4), strand, late(1e-3), Op::Join],
        vec![late(5e-4), receive(0, 8)],
    ];
    near(world("ring(6)").programs(bodies).unwrap().finish_s[0][3], 5e-4 + alone(3.0, 8.0));
}
