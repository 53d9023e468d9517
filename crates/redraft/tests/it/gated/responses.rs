//! What is a response, and what none: names, forms, and files that are no files.

mod code;
mod forms;
mod names;
mod waiting;
