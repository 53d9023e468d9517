//! Programs that play a role well or badly: what is heard from them, how long it takes, and what is left of them.

mod canaries;
mod ends;
mod hostile;
mod replies;
mod stage;

pub(crate) use stage::call;
