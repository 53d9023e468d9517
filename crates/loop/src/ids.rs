//! Typed ids: parsed once at the edge, so that two of them can never be swapped.
//!
//! Absent here: how ids are made (they come in from outside) and what they point to.

use alloc::string::String;
use core::fmt;
use serde::{Deserialize, Serialize};

macro_rules! name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Wraps a name that is already known to be good.
            pub fn new(name: impl Into<String>) -> Self {
                Self(name.into())
            }

            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(name: &str) -> Self {
                Self(name.into())
            }
        }
    };
}

macro_rules! number {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub $inner);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

name!(
    /// Names one execution of a workflow, unique for ever.
    RunId
);
name!(
    /// Names a step of a shape, such as the step in which a candidate is written.
    StepId
);
name!(
    /// Names who acts in a step; the cast says which agent plays it.
    Role
);
name!(
    /// A SHA-256 as 64 lower-case hexadecimal digits. The loop compares it, never computes it.
    Hash
);
number!(
    /// The n-th request of a run, from 1; retries and repairs have numbers of their own.
    CallId(u32)
);
number!(
    /// Which driver wrote a fact: each driver that opens a run takes a higher one.
    Epoch(u32)
);
number!(
    /// A moment in microseconds since 1970-01-01T00:00:00Z, as some clock outside told it.
    Time(i64)
);
