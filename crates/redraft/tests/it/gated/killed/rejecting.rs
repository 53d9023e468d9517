//! Killed while a response is sent back: what it brought is put aside once, and what is carried over stays.

use super::path::{Path, RENAMES, Step};
use crate::{
    durability::{sweep::SYNCS, trace},
    gated::unattended::scene::{PROGRAMS, Scene},
};

/// A session that has come to the gate behind this many approvals.
fn at_gate(gates: usize) -> (Scene, String) {
    let scene = Scene::new("java");
    let id = scene.begun("jpa-mt", PROGRAMS);
    scene.expect(3, &format!("gated run {id}"));
    for _ in 0..gates {
        scene.expect(0, &format!("gated approve {id}"));
        scene.expect(3, &format!("gated run {id}"));
    }
    (scene, id)
}

/// Rejected there by a person who had changed this file of the session, or made it.
fn check(gates: usize, changed: &str) {
    let (scene, id) = at_gate(gates);
    let text = "// a person's own\n";
    scene.sandbox.write(&format!("{}/{changed}", scene.folder(&id)), text);
    // Only the rejection is killed; the session goes on through the gate and to the next.
    let further = [Step::run(&id, 3), Step::approve(&id), Step::run(&id, 3)];
    let steps = [Step::reject(&id)].into_iter().chain(further).collect();
    let path = Path::new(&scene, id, steps);
    let syncs = path.places(0..1, &SYNCS);
    path.sweep(&format!("rejected at gate {gates}, syncs"), &syncs, 6);
    let renames = path.places(0..1, &RENAMES);
    assert!(renames.len() > 1, "{renames:?}");
    path.sweep(
        &format!("rejected at gate {gates}, renames"),
        &renames,
        if gates == 3 { 1 } else { 3 },
    );
}

#[test]
fn killed_while_a_plan_is_rejected_a_session_comes_to_the_same_folder() {
    if trace::works() {
        check(0, "iteration-1/planning-response.md");
    }
}

#[test]
fn killed_while_files_are_rejected_a_session_comes_to_the_same_folder() {
    if trace::works() {
        check(1, "iteration-1/code/Notes.java");
    }
}

#[test]
fn killed_while_a_revision_is_rejected_what_is_carried_over_stays() {
    if trace::works() {
        check(3, "iteration-2/code/Order.java");
    }
}
