//! The stream's format, and what picks, ends, releases and reopenings add up to.
