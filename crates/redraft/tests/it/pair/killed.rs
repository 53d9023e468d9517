//! Kill -9 anywhere in a pair on a real repository: it goes on where it stopped, and leaves nothing behind.
#![cfg(target_os = "linux")]

mod calls;
mod gits;
mod moved;
mod side_by_side;
mod signals;
mod stage;
mod writes;
