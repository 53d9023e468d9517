//! Models against servers that misbehave: every byte of a connection is in the test's hand.

mod bounds;
mod canaries;
mod cancel;
mod connections;
mod cuts;
mod dialect;
mod faults;
mod house;
mod listing;
mod refusals;
mod requests;
mod server;

pub(crate) use house::alone;
