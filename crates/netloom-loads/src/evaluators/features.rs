//! Features for learners as columns of an answer.

use netloom_model::record;

use crate::features::{Messages, Spread};

record! {
    /// Of links between switches and of messages between nodes; by default nothing is known.
    pub struct FeatureRecord {
        dilation_ao_mean: Option<f64>, "hops",
            "with features: mean over messages between nodes that travel further than their mean; 0 without any";
        dilation_max: Option<f64>, "hops", "with features: of the longest message";
        dilation_ao_sum: Option<f64>, "hops", "with features: sum over the messages that travel further than the mean";
        bytes_mean: Option<f64>, "B", "with features: per link between switches";
        bytes_ao_mean: Option<f64>, "B", "with features: mean over the links with more than the mean";
        bytes_to_mean: Option<f64>, "B", "with features: mean over the 5 % of links with most";
        bytes_near_mean: Option<f64>, "B", "with features: mean over the links within 5 % of the most: the other top outliers";
        bytes_max: Option<f64>, "B", "with features: of the link with most";
        bytes_ao_links: Option<f64>, "", "with features: links with more than the mean";
        stalls_mean: Option<f64>, "",
            "with features: packets off a link that could not go on at once, per link between switches";
        stalls_ao_mean: Option<f64>, "", "with features: mean over the links with more of these than the mean";
        stalls_to_mean: Option<f64>, "", "with features: mean over the 5 % of links with most of these";
        stalls_near_mean: Option<f64>, "", "with features: mean over the links within 5 % of the most of these";
        stalls_max: Option<f64>, "", "with features: of the link with most of these";
        stalls_ao_links: Option<f64>, "", "with features: links with more of these than the mean";
        stallsp_mean: Option<f64>, "", "with features: stalls of a link over the packets that came over it, mean over links";
        stallsp_ao_mean: Option<f64>, "", "with features: mean over the links where this is above the mean";
        stallsp_to_mean: Option<f64>, "", "with features: mean over the 5 % of links with most of this";
        stallsp_near_mean: Option<f64>, "", "with features: mean over the links within 5 % of the most of this";
        stallsp_max: Option<f64>, "", "with features: most of any link";
        stallsp_ao_links: Option<f64>, "", "with features: links where this is above the mean";
        fifo_max: Option<f64>, "",
            "with features: messages in the fullest injection FIFO; on a grid a node has one for each direction";
    }
}

/// What a rung knows of links.
pub struct OnLinks {
    /// Bytes of each link between switches.
    pub bytes: Vec<f64>,
    /// Packets that stalled after each, and packets that crossed it, where packets are known.
    pub packets: Option<(Vec<f64>, Vec<f64>)>,
}

impl FeatureRecord {
    /// O(links log links).
    pub fn of(messages: &Messages, links: OnLinks) -> FeatureRecord {
        let bytes = Spread::of(links.bytes);
        let stalls = links.packets.map(|(stalls, packets)| {
            let ratio = |(stalls, packets): (&f64, &f64)| if *packets > 0.0 { stalls / packets } else { 0.0 };
            let per_packet = stalls.iter().zip(&packets).map(ratio).collect();
            (Spread::of(stalls), Spread::of(per_packet))
        });
        let of_stalls = |value: fn(&Spread) -> f64| stalls.as_ref().map(|(stalls, _)| value(stalls));
        let per_packet = |value: fn(&Spread) -> f64| stalls.as_ref().map(|(_, per_packet)| value(per_packet));
        FeatureRecord {
            dilation_ao_mean: Some(messages.dilation_above_mean),
            dilation_max: Some(messages.dilation_max),
            dilation_ao_sum: Some(messages.dilation_above_sum),
            bytes_mean: Some(bytes.mean),
            bytes_ao_mean: Some(bytes.above_mean),
            bytes_to_mean: Some(bytes.top_mean),
            bytes_near_mean: Some(bytes.near_mean),
            bytes_max: Some(bytes.max),
            bytes_ao_links: Some(bytes.above as f64),
            stalls_mean: of_stalls(|of| of.mean),
            stalls_ao_mean: of_stalls(|of| of.above_mean),
            stalls_to_mean: of_stalls(|of| of.top_mean),
            stalls_near_mean: of_stalls(|of| of.near_mean),
            stalls_max: of_stalls(|of| of.max),
            stalls_ao_links: of_stalls(|of| of.above as f64),
            stallsp_mean: per_packet(|of| of.mean),
            stallsp_ao_mean: per_packet(|of| of.above_mean),
            stallsp_to_mean: per_packet(|of| of.top_mean),
            stallsp_near_mean: per_packet(|of| of.near_mean),
            stallsp_max: per_packet(|of| of.max),
            stallsp_ao_links: per_packet(|of| of.above as f64),
            fifo_max: Some(messages.fifo_max),
        }
    }
}
