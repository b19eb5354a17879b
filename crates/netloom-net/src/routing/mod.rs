//! Routings: the candidate paths between two switches, with their virtual channels.
