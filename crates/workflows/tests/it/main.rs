//! Replies as they are: read as given, refused with the reason, and never forged.

mod attacks;
mod findings;
mod forgery;
mod forms;
mod properties;
mod reading;
mod stage;
