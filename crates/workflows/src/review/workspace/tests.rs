//! The stream's format, and what picks, ends, releases and reopenings add up to.

use super::*;
use crate::review::protocol::{LoopDecision, LoopOutcome};
use redraft_loop::{Hash, Time};
use std::collections::BTreeMap;
use uuid::Uuid;

fn slug() -> AssetId {
    AssetId::parse("slug").unwrap()
}

fn picked(n: u128) -> WorkspaceFact {
    let (by, candidate_id) = ("Ada".to_owned(), Uuid::from_u128(n));
    WorkspaceFact::Picked(Picked { at: Time(0), by, asset_id: slug(), candidate_id })
}

fn ended(run: &str) -> WorkspaceFact {
    WorkspaceFact::RunEnded(RunEnded { run: RunId::new(run), asset_id: slug() })
}

fn released() -> WorkspaceFact {
    WorkspaceFact::Released(Released { at: Time(0), by: "Ada".into(), asset_id: slug() })
}

fn reopening(number: u32, run: Option<&str>) -> Reopened {
    let locked_fields = ["final_iteration", "outcome", "reason"].map(str::to_owned).to_vec();
    Reopened {
        at: Time(1_000_000),
        by: "Ada".into(),
        reason: "shorter".into(),
        asset_id: slug(),
        number,
        run: run.map(RunId::new),
        decision: LoopDecision {
            final_iteration: 2,
            locked_fields,
            outcome: LoopOutcome::NeedsHuman,
            reason: "iteration_limit".into(),
        },
        last_iteration: 2,
        files: BTreeMap::new(),
    }
}

fn reopened(number: u32, run: Option<&str>) -> WorkspaceFact {
    WorkspaceFact::Reopened(reopening(number, run))
}

/// Who picked what stands now, and what was picked since the last end.
fn picks(facts: &[WorkspaceFact]) -> (Option<u128>, Option<u128>) {
    let workspace = Workspace::fold(facts.to_vec());
    let id = |picked: &Picked| picked.candidate_id.as_u128();
    (workspace.pick(&slug()).map(id), workspace.pick_since_end(&slug()).map(id))
}

#[test]
fn the_new_facts_are_written_as_they_will_be_read_for_ever() {
    let decision = r#"{"final_iteration":2,"locked_fields":["final_iteration","outcome","reason"],"outcome":"needs_human","reason":"iteration_limit"}"#;
    let ours = format!(
        r#"{{"v":2,"fact":{{"reopened":{{"at":1000000,"by":"Ada","reason":"shorter","asset_id":"slug","number":1,"run":"r1","decision":{decision},"last_iteration":2}}}}}}"#
    );
    let foreign = format!(
        r#"{{"v":2,"fact":{{"reopened":{{"at":1000000,"by":"Ada","reason":"shorter","asset_id":"slug","number":2,"decision":{decision},"last_iteration":2,"files":{{"copy/protocol/slug/state.json":"ab"}}}}}}}}"#
    );
    let of_files = Reopened {
        files: BTreeMap::from([("copy/protocol/slug/state.json".into(), Hash::new("ab"))]),
        ..reopening(2, None)
    };
    let release = r#"{"v":2,"fact":{"released":{"at":0,"by":"Ada","asset_id":"slug"}}}"#;
    let export =
        r#"{"v":2,"fact":{"exported":{"at":3,"files":{"auphonic/outputs/youtube.txt":"cd"}}}}"#;
    let files = BTreeMap::from([("auphonic/outputs/youtube.txt".to_owned(), Hash::new("cd"))]);
    let exported =
        WorkspaceFact::Exported(Exported { at: Time(3), candidates: BTreeMap::new(), files });
    for (fact, text) in [
        (reopened(1, Some("r1")), ours.as_str()),
        (WorkspaceFact::Reopened(of_files), &foreign),
        (released(), release),
        (exported, export),
    ] {
        assert_eq!(encode(&fact).unwrap(), text);
        assert_eq!(decode(text).unwrap(), fact);
    }
}

#[test]
fn a_stream_from_before_these_facts_reads_as_it_did() {
    let candidate = "00000000-0000-0000-0000-000000000007";
    let stream = [
        r#"{"v":1,"fact":{"created":{"created_at":"2000-01-01T00:00:00Z","episode_id":"e1","root_dir":"w"}}}"#.to_owned(),
        format!(r#"{{"v":1,"fact":{{"picked":{{"at":5,"by":"Ada","asset_id":"slug","candidate_id":"{candidate}"}}}}}}"#),
        r#"{"v":1,"fact":{"run_ended":{"run":"r1","asset_id":"slug"}}}"#.to_owned(),
        r#"{"v":1,"fact":{"synced":{"runs":{"r1":9},"workspace":3}}}"#.to_owned(),
    ];
    let facts: Vec<WorkspaceFact> = stream.iter().map(|text| decode(text).unwrap()).collect();
    for (fact, text) in facts.iter().zip(&stream) {
        let again: serde_json::Value = serde_json::from_str(&encode(fact).unwrap()).unwrap();
        let first_version: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!((&again["v"], &again["fact"]), (&2.into(), &first_version["fact"]));
    }
    let workspace = Workspace::fold(facts.clone());
    assert_eq!(workspace.closed(&slug()), Vec::new());
    assert!(!workspace.is_closed(&RunId::new("r1")));
    assert!(workspace.released(&slug(), &[]).is_none());
    assert_eq!(picks(&facts), (Some(7), None));
}

#[test]
fn a_fact_of_a_later_version_is_told_apart_from_damage() {
    let later = r#"{"v":3,"fact":{"sung":{}}}"#;
    assert_eq!(decode(later), Err(DecodeError::Version(3)));
    for bad in [r#"{"v":2,"fact":{"sung":{}}}"#, r#"{"v":1,"fact":{"sung":{}}}"#, "{}", ""] {
        assert!(matches!(decode(bad), Err(DecodeError::Form(_))), "{bad}");
    }
    // What programs of version 1 refuse as newer, before they look at the rest.
    for fact in [released(), reopened(1, None), picked(1)] {
        assert!(encode(&fact).unwrap().starts_with(r#"{"v":2,"#), "{fact:?}");
    }
}

#[test]
fn closed_records_are_listed_oldest_first_with_their_folders() {
    let facts = vec![ended("r1"), reopened(1, Some("r1")), ended("r2"), reopened(2, Some("r2"))];
    let workspace = Workspace::fold(facts);
    let closed = workspace.closed(&slug());
    let folders: Vec<&str> = closed.iter().map(|closed| closed.folder.as_str()).collect();
    assert_eq!(folders, ["copy/protocol/slug/closed_01", "copy/protocol/slug/closed_02"]);
    assert_eq!(closed[0].reopened_at, "1970-01-01T00:00:01Z");
    assert_eq!(workspace.reopened(&slug()).map(|reopened| reopened.number), Some(2));
    for (run, is_closed) in [("r1", true), ("r2", true), ("r3", false)] {
        assert_eq!(workspace.is_closed(&RunId::new(run)), is_closed, "{run}");
    }
    let other = AssetId::parse("description").unwrap();
    assert_eq!((workspace.closed(&other), workspace.reopened(&other)), (Vec::new(), None));
}

#[test]
fn a_pick_stands_until_it_is_let_go_and_answers_only_for_its_own_record() {
    assert_eq!(picks(&[picked(1), ended("r1")]), (Some(1), None));
    assert_eq!(picks(&[ended("r1"), picked(1)]), (Some(1), Some(1)));
    assert_eq!(picks(&[ended("r1"), picked(1), reopened(1, Some("r1"))]), (Some(1), None));
    assert_eq!(picks(&[ended("r1"), picked(1), released()]), (None, None));
    assert_eq!(picks(&[ended("r1"), picked(1), released(), picked(2)]), (Some(2), Some(2)));
}

#[test]
fn a_run_selects_what_it_agrees_on_unless_a_pick_stood_then_or_was_made_since() {
    let check = |facts: &[WorkspaceFact], run: &str, selects: bool| {
        let workspace = Workspace::fold(facts.to_vec());
        assert_eq!(workspace.selects(&RunId::new(run), &slug()), selects, "{run} in {facts:?}");
    };
    check(&[], "open", true);
    check(&[picked(1)], "open", false);
    check(&[picked(1), released()], "open", true);
    check(&[ended("r1"), picked(1)], "r1", false);
    // Letting a pick go does not select what was agreed on while it stood.
    let facts = [picked(1), ended("r1"), released(), ended("r2")];
    check(&facts, "r1", false);
    check(&facts, "r2", true);
}

#[test]
fn a_selection_that_was_let_go_is_bound_again_by_a_pick_but_not_by_an_end_without_agreement() {
    let check = |facts: &[WorkspaceFact], is_released: bool| {
        let workspace = Workspace::fold(facts.to_vec());
        assert_eq!(workspace.released(&slug(), &[]).is_some(), is_released, "{facts:?}");
    };
    check(&[released()], true);
    check(&[picked(1), released(), ended("r1")], true);
    check(&[released(), picked(1)], false);
    let facts = vec![released(), ended("r1"), picked(1)];
    let workspace = Workspace::fold(facts);
    assert!(workspace.was_released_for(&RunId::new("r1"), &slug(), &[]));
}

#[test]
fn a_candidate_drafted_since_the_end_is_found_and_one_from_before_it_is_not() {
    let drafted = |n: u128| {
        let candidate: Candidate = serde_json::from_value(serde_json::json!({
            "asset_id": "slug", "candidate_id": Uuid::from_u128(n), "content": "x",
            "created_at": "2000-01-01T00:00:00Z", "format": "plain", "provenance": [],
        }))
        .unwrap();
        WorkspaceFact::Drafted(Drafted {
            at: Time(0),
            by: "Ada".into(),
            candidates: vec![candidate],
        })
    };
    let found = |facts: &[WorkspaceFact]| {
        let workspace = Workspace::fold(facts.to_vec());
        workspace.drafted_since_end(&slug()).map(|c| c.candidate_id.as_u128())
    };
    assert_eq!(found(&[drafted(1), ended("r1")]), None);
    assert_eq!(found(&[ended("r1"), drafted(1), drafted(2)]), Some(2));
    assert_eq!(found(&[ended("r1"), drafted(1), picked(1)]), None);
    assert_eq!(found(&[ended("r1"), drafted(1), reopened(1, Some("r1"))]), Some(1));
}
