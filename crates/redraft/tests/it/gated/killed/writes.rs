//! A whole session, from init to COMPLETE with a FAIL and a revision, killed at every durable write.

use super::{
    path::{CALLS as CALLS_OF_SYSTEM, Path, Step, strace_of},
    seen::{check_asked, check_clean, check_same, folder_of_any},
};
use crate::{
    durability::{sweep, trace},
    gated::unattended::scene::{CALLS, PROGRAMS, Scene},
};

/// Through all five gates, each approved by a person.
fn through_gates(id: &str) -> Vec<Step> {
    let mut steps = vec![Step::run(id, 3)];
    for gate in CALLS {
        let last = gate == CALLS[CALLS.len() - 1];
        steps.extend([Step::approve(id), Step::run(id, if last { 0 } else { 3 })]);
    }
    steps
}

#[test]
fn killed_at_every_durable_write_a_session_comes_to_the_same_folder() {
    if !trace::works() {
        return;
    }
    let scene = Scene::new("java");
    let id = scene.begun("jpa-mt", PROGRAMS);
    let steps = through_gates(&id);
    let path = Path::new(&scene, id, steps);
    let places = path.places(0..path.steps.len(), &CALLS_OF_SYSTEM);
    assert!(places.len() > 100, "{places:?}");
    path.sweep("with gates", &places, 23);
}

#[test]
fn killed_at_every_durable_write_a_session_with_open_gates_comes_to_the_same_folder() {
    if !trace::works() {
        return;
    }
    let scene = Scene::new("java");
    scene.open_gates();
    let id = scene.begun("jpa-auto", PROGRAMS);
    let steps = vec![Step::run(&id, 0)];
    let path = Path::new(&scene, id, steps);
    let places = path.places(0..1, &CALLS_OF_SYSTEM);
    assert!(places.len() > 80, "{places:?}");
    path.sweep("with open gates", &places, 29);
}

const INIT: &str = "gated init --profile jpa-auto --scope domain --entity Order --table sales.orders --bounded-context order-management --schema-file schema.sql --dev Ada --planner program --generator program --reviewer program --reviser program";

/// The sessions there are.
fn sessions(scene: &Scene) -> Vec<String> {
    let listed = scene.expect(0, "gated list --json");
    let listed: serde_json::Value = serde_json::from_str(&listed.out).unwrap();
    let rows = listed["sessions"].as_array().unwrap().iter();
    rows.map(|row| row["session_id"].as_str().unwrap().to_owned()).collect()
}

/// Killed there, it has begun a session or none: where there is none it is begun again.
fn killed_in_init((name, k): (&str, usize), made: &Scene, expected: &Scene) -> bool {
    let (scene, place) = (made.twin(), format!("init killed at {name} {k}"));
    if !sweep::kill(name, k, |strace| scene.under(strace_of(strace), INIT)) {
        return false;
    }
    if sessions(&scene).is_empty() {
        scene.expect(0, INIT);
    }
    let found = sessions(&scene);
    assert_eq!(found.len(), 1, "{place}: {found:?}");
    scene.expect(0, &format!("gated run {}", found[0]));
    let whole = sessions(expected).remove(0);
    let (found, whole) = (folder_of_any(&scene, &found[0]), folder_of_any(expected, &whole));
    check_same(&found, &whole, &place);
    check_asked(&scene, (0, &[]), &expected.asked(), &place);
    check_clean(&scene, &sessions(&scene)[0], &place);
    true
}

/// The home has no journal before: the first session makes it.
#[test]
fn killed_at_every_durable_write_of_init_a_session_is_begun_once() {
    if !trace::works() {
        return;
    }
    let made = Scene::new("java");
    made.open_gates();
    let expected = made.twin();
    expected.expect(0, INIT);
    expected.expect(0, &format!("gated run {}", sessions(&expected)[0]));
    let scene = made.twin();
    let under = |strace| scene.under(strace_of(strace), INIT);
    let (counts, code) = sweep::count(&CALLS_OF_SYSTEM, scene.sandbox.path(), under);
    assert_eq!(code, Some(0));
    let mut places = Vec::new();
    for name in CALLS_OF_SYSTEM {
        // Where several threads make such calls, the one that makes most is sure to be reached at its last.
        let most = counts.get(name).into_iter().flatten().copied().max().unwrap_or(0);
        places.extend((1..=most).map(|k| (name, k)));
    }
    let chosen: Vec<_> = places.iter().copied().step_by(sweep::stride(7)).collect();
    let came = sweep::each(&chosen, |place| killed_in_init(*place, &made, &expected));
    eprintln!("init: {} places, {} tried, {came} kills came in time", places.len(), chosen.len());
    assert!(places.len() > 10 && came == chosen.len(), "{came} of {chosen:?}");
}
