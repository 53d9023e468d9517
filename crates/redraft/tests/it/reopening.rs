//! Reviewing again what is decided: the closed record stays readable, and the new one goes on from it.

mod closing;
mod foreign;
mod killed;
mod refusing;
mod selection;

use crate::{
    sandbox::Sandbox,
    scene::{agrees, draft, final_draft, objects, review, script, scripted},
};
use std::collections::{BTreeMap, BTreeSet};

/// A workspace whose description waits for a person after one iteration; the script at hand agrees on another text.
fn waits_for_a_person() -> Sandbox {
    let sandbox = scripted(&[draft("one\n"), objects("more")]);
    sandbox.expect(3, &review("description", "--max-iterations 1"));
    script(&sandbox, &[final_draft("two\n"), agrees()]);
    sandbox
}

/// The review of the description again, with these further words.
fn reopen(reason: &str, more: &str) -> String {
    review("description", &format!("--reopen --reason {reason} --by Ada {more}"))
}

/// The files of the description's protocol below a folder of it, the closed ones left out.
fn record(sandbox: &Sandbox, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = sandbox.files(&format!("w/copy/protocol/description/{folder}"));
    files.retain(|path, _| !path.contains('/'));
    files
}

/// No two candidates of the asset share an id.
fn check_ids(asset: &serde_json::Value) -> usize {
    let candidates = asset["candidates"].as_array().unwrap();
    let ids: BTreeSet<&str> =
        candidates.iter().map(|c| c["candidate_id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), candidates.len(), "{asset}");
    ids.len()
}

/// The journal is whole, and repair finds nothing to do.
fn check_clean(sandbox: &Sandbox, place: &str) {
    sandbox.expect(0, "verify -w w");
    let repair = sandbox.expect(0, "repair -w w");
    assert!(repair.out.contains("Every file is as the journal has it."), "{place}: {}", repair.out);
}
