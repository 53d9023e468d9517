//! The profiles that come with the program, one folder each.
//!
//! Absent here: what they say; a user's folder is read the same way.

use super::Files;

/// The names of the profiles that come with the program.
pub const BUILT_IN: [&str; 2] = ["jpa-mt", "sqlx-rust"];

/// The files of a profile that comes with the program.
pub fn built_in(name: &str) -> Option<Files> {
    match name {
        "jpa-mt" => Some(JPA_MT.iter().copied().collect()),
        "sqlx-rust" => Some(SQLX_RUST.iter().copied().collect()),
        _ => None,
    }
}

macro_rules! folder {
    ($constant:ident = $folder:literal: $($path:literal),* $(,)?) => {
        const $constant: &[(&str, &str)] =
            &[$(($path, include_str!(concat!("../../../profiles/", $folder, "/", $path)))),*];
    };
}

folder!(JPA_MT = "jpa-mt":
    "profile.toml",
    "prompts/planning.md",
    "prompts/generation.md",
    "prompts/review.md",
    "prompts/revision.md",
    "prompts/parts/task.md",
    "prompts/parts/given.md",
    "prompts/parts/domain.md",
    "prompts/parts/service.md",
    "prompts/parts/api.md",
    "prompts/parts/bundle.md",
    "prompts/parts/review_meta.md",
    "standards/tenancy.md",
    "standards/schema.md",
    "standards/entities.md",
    "standards/repositories.md",
    "standards/services.md",
    "standards/api.md",
    "standards/tests.md",
);

folder!(SQLX_RUST = "sqlx-rust":
    "profile.toml",
    "prompts/planning.md",
    "prompts/generation.md",
    "prompts/review.md",
    "prompts/revision.md",
    "prompts/parts/task.md",
    "prompts/parts/given.md",
    "prompts/parts/domain.md",
    "prompts/parts/service.md",
    "prompts/parts/api.md",
    "prompts/parts/bundle.md",
    "prompts/parts/review_meta.md",
    "standards/tenancy.md",
    "standards/schema.md",
    "standards/queries.md",
    "standards/types.md",
    "standards/services.md",
    "standards/tests.md",
);
