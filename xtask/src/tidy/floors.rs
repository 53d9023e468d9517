//! Arrows between crates point down only, and crates of one floor never meet.
//!
//! Why this also keeps agents and stores apart from the rest: they stand on floor 3, so only the
//! binary on floor 4 can depend on them. Dev-dependencies and build-dependencies count the same.

use super::Finding;
use crate::shell;
use anyhow::{Context, Result};
use serde_json::Value;

/// Who stands where, the floor plan of the design.
const FLOORS: [(&str, u8); 9] = [
    ("redraft-loop", 0),
    ("redraft-workflows", 1),
    ("redraft-engine", 2),
    ("redraft-store", 3),
    ("redraft-agents", 3),
    ("redraft-server", 3),
    ("redraft-fleet", 3),
    ("redraft", 4),
    // Benchmarks use whatever they measure; nothing points at them.
    ("redraft-bench", 5),
];

/// The chores stand outside: nothing points at them and they point at nothing.
const OUTSIDE: &str = "xtask";

/// One crate of the workspace and the crates of the workspace it depends on.
#[derive(Debug)]
struct Room {
    name: String,
    below: Vec<String>,
}

pub(super) fn check() -> Result<Vec<Finding>> {
    let mut asked = shell::command("cargo metadata --no-deps --format-version 1 --offline");
    let metadata = shell::read(&mut asked)?;
    Ok(judge(&rooms(&metadata).context("cargo metadata has an unknown shape")?))
}

fn rooms(metadata: &str) -> Option<Vec<Room>> {
    let metadata: Value = serde_json::from_str(metadata).ok()?;
    let room = |package: &Value| {
        let dependencies = package["dependencies"].as_array()?;
        let inside = dependencies.iter().filter(|dependency| dependency["path"].is_string());
        Some(Room {
            name: package["name"].as_str()?.to_owned(),
            below: inside.filter_map(|d| d["name"].as_str()).map(str::to_owned).collect(),
        })
    };
    metadata["packages"].as_array()?.iter().map(room).collect()
}

fn judge(rooms: &[Room]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for room in rooms {
        let Some(from) = floor(&room.name) else {
            findings.extend(outside(room));
            continue;
        };
        for below in &room.below {
            let message = match floor(below) {
                Some(to) if to < from => continue,
                Some(to) if to == from => format!("meets {below} on its own floor {from}"),
                Some(to) => format!("stands on floor {from} and points up to {below} on {to}"),
                None => format!("depends on {below}, which has no floor"),
            };
            findings.push(Finding::error(&room.name, message));
        }
    }
    findings
}

fn floor(name: &str) -> Option<u8> {
    FLOORS.iter().find(|(known, _)| *known == name).map(|(_, floor)| *floor)
}

fn outside(room: &Room) -> Option<Finding> {
    if room.name != OUTSIDE {
        return Some(Finding::error(&room.name, "has no floor in the floor plan"));
    }
    let first = room.below.first()?;
    Some(Finding::error(&room.name, format!("stands outside and depends on {first}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::shown;

    fn found(arrows: &[(&str, &[&str])]) -> Vec<String> {
        let room = |(name, below): &(&str, &[&str])| Room {
            name: (*name).to_owned(),
            below: below.iter().map(|name| (*name).to_owned()).collect(),
        };
        shown(&judge(&arrows.iter().map(room).collect::<Vec<_>>()))
    }

    #[test]
    fn arrows_that_point_down_are_good() {
        let good: &[(&str, &[&str])] = &[
            ("redraft-loop", &[]),
            ("redraft-agents", &["redraft-engine", "redraft-loop"]),
            ("redraft", &["redraft-agents", "redraft-store"]),
            ("xtask", &[]),
        ];
        assert_eq!(found(good), [""; 0]);
    }

    #[test]
    fn an_arrow_up_is_bad() {
        let found = found(&[("redraft-loop", &["redraft-engine"])]);
        assert_eq!(found, ["redraft-loop: stands on floor 0 and points up to redraft-engine on 2"]);
    }

    #[test]
    fn crates_of_one_floor_never_meet() {
        let found = found(&[("redraft-server", &["redraft-store"])]);
        assert_eq!(found, ["redraft-server: meets redraft-store on its own floor 3"]);
    }

    #[test]
    fn a_crate_without_a_floor_is_bad_on_either_end() {
        let found = found(&[("attic", &[]), ("redraft", &["attic"]), ("xtask", &["redraft"])]);
        assert_eq!(found.len(), 3);
        assert!(found[2].contains("stands outside"), "{found:?}");
    }

    #[test]
    fn metadata_gives_the_arrows_inside_of_every_kind() {
        let metadata = r#"{"packages": [{"name": "redraft-loop", "dependencies": [
            {"name": "serde", "path": null, "kind": null},
            {"name": "redraft-store", "path": "somewhere", "kind": "dev"}]}]}"#;
        assert_eq!(judge(&rooms(metadata).unwrap()).len(), 1);
        assert!(rooms("{}").is_none());
    }
}
