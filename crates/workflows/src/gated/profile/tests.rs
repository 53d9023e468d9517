//! Profiles as people write them.
