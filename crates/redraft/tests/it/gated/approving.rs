//! An approval binds the bytes that stood there when it was given (contract §2).

mod after;
mod before;
mod rejecting;
mod used;
