//! What is seen of packets: on links, in queues and buffers, by job.

pub mod carried;
pub mod occupancy;
pub mod seen;
pub mod times;
pub mod watch;
