//! Redraft over HTTP: solve requests, their runs, and a face for clients that speak the OpenAI protocol.
//!
//! Everything it knows about runs comes through [`Desk`]. [`bind`] takes a port, [`Bound::serve`] answers on it.
//!
//! Invariant: a client that goes away, a limit that is hit and a server that stops never end a run; runs belong to
//! the desk.
//! Absent here: agents, stores, and how a run is driven.

mod api;
mod app;
mod body;
mod chat;
mod connection;
mod desk;
mod docs_page;
mod events;
mod front;
mod guard;
mod health;
mod hosts;
mod key;
mod limits;
mod metrics;
mod models;
mod openapi;
mod patience;
mod prefer;
mod problem;
mod request_id;
mod rooms;
mod runs;
mod serve;
mod solve;
mod sse;
mod token;
mod waiting;

pub use desk::{
    Answer, BoxFuture, Counter, CounterKind, Desk, DeskError, FactLine, FactStream, Key, Opened,
    RunPage, RunView, Standing, TokenCount,
};
pub use limits::{Limits, MAX_CONSTRAINTS};
pub use problem::Kind;
pub use serve::{Bound, Config, ServeError, bind};
pub use token::Token;
