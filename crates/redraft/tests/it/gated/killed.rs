//! Kill -9 at every durable write of a session, and gone on with by the same commands: the same folder, and nobody asked
//! again who has answered.
#![cfg(target_os = "linux")]

mod calls;
mod path;
mod rejecting;
mod seen;
mod writes;
