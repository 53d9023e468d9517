//! What happens when a program says what nobody can read, or nothing at all.

use super::scene::{CALLS, FAIL, PASS, PROGRAMS, Scene};

const NO_FILES: &str = "I would write two files.\n";

fn refused(n: u32) -> String {
    format!("iteration-1/generation-response.refused-{n}.md")
}

/// A session whose generator has said twice what cannot be read.
fn stuck() -> (Scene, String) {
    let scene = Scene::new("java");
    scene.says("generation-1.1", NO_FILES);
    scene.says("generation-1.2", "Still none.\n");
    scene.open_gates();
    let id = scene.begun("jpa-auto", PROGRAMS);
    let stuck = scene.expect(3, &format!("gated run {id}"));
    assert!(stuck.out.contains("phase=GENERATING status=in_progress"), "{}", stuck.out);
    // What is wrong, and what to do about it.
    assert!(stuck.err.contains("<<<FILE: "), "{}", stuck.err);
    assert_eq!(scene.asked(), ["planning-1", "generation-1", "generation-1"]);
    (scene, id)
}

#[test]
fn a_reply_that_cannot_be_read_is_repaired_once_and_kept() {
    let scene = Scene::new("java");
    scene.says("generation-1.1", NO_FILES);
    scene.open_gates();
    let id = scene.begun("jpa-auto", PROGRAMS);
    scene.expect(0, &format!("gated run {id}"));
    let again =
        ["planning-1", "generation-1", "generation-1", "review-1", "revision-2", "review-2"];
    assert_eq!(scene.asked(), again);
    assert_eq!(scene.file(&id, &refused(1)), NO_FILES);
    assert!(!scene.has(&id, &refused(2)));
    assert!(scene.file(&id, "iteration-1/generation-response.md").starts_with("As planned."));
    scene.expect(0, "verify");
}

#[test]
fn after_two_of_them_it_waits_and_both_are_kept() {
    let (scene, id) = stuck();
    assert_eq!(scene.file(&id, &refused(1)), NO_FILES);
    assert_eq!(scene.file(&id, &refused(2)), "Still none.\n");
    assert!(!scene.has(&id, "iteration-1/generation-response.md"));
    let told = scene.session(&id)["last_error"].as_str().unwrap().to_owned();
    assert!(told.contains("<<<FILE: "), "{told}");
    let status = scene.expect(0, &format!("gated status {id}"));
    assert!(status.out.contains(&format!("last error: {told}")), "{}", status.out);
}

#[test]
fn a_persons_response_beside_them_is_taken_without_asking_again() {
    let (scene, id) = stuck();
    let asked = scene.asked().len();
    let by_hand = "<<<FILE: Order.java>>>\n// by hand\n";
    let response = format!("{}/iteration-1/generation-response.md", scene.folder(&id));
    scene.sandbox.write(&response, by_hand);
    check_a_person_lets_it_pass(&scene, &id);
    assert_eq!(scene.asked()[asked..], CALLS[2..], "the generator is not asked again");
    assert_eq!(scene.sandbox.read(&response), by_hand);
    assert_eq!(scene.file(&id, "iteration-1/code/Order.java"), "// by hand\n");
    assert_eq!(scene.stands(&id).0, "COMPLETE");
    scene.expect(0, "verify");
}

#[test]
fn the_next_run_asks_the_program_again_where_nobody_wrote_a_response() {
    let (scene, id) = stuck();
    scene.expect(0, &format!("gated run {id}"));
    assert_eq!(
        scene.asked()[2..],
        ["generation-1", "generation-1", "review-1", "revision-2", "review-2"]
    );
    assert_eq!(scene.file(&id, &refused(2)), "Still none.\n", "it stays");
    scene.expect(0, "verify");
}

/// How often a program is asked in one step before it counts as failed.
const ATTEMPTS: usize = 3;

#[test]
fn a_program_that_fails_leads_to_error_and_the_next_step_goes_on() {
    let scene = Scene::new("java");
    scene.open_gates();
    for attempt in 1..=ATTEMPTS {
        scene.does(&format!("review-1.{attempt}"), "echo 'no licence' >&2\nexit 9\n");
    }
    let id = scene.begun("jpa-auto", PROGRAMS);
    let failed = scene.expect(1, &format!("gated run {id}"));
    assert!(failed.out.contains("phase=ERROR status=error"), "{}", failed.out);
    assert!(failed.err.contains("no licence"), "{}", failed.err);
    assert_eq!(scene.stands(&id), ("ERROR".into(), "error".into()));
    let told = scene.session(&id)["last_error"].as_str().unwrap().to_owned();
    assert!(told.contains("no licence"), "{told}");
    let stepped = scene.expect(0, &format!("gated step {id}"));
    assert!(stepped.out.contains("phase=REVIEWED"), "{}", stepped.out);
    assert!(scene.session(&id)["last_error"].is_null());
    let passages = scene.session(&id)["phase_history"].as_array().unwrap().clone();
    let phases: Vec<&str> = passages.iter().map(|it| it["phase"].as_str().unwrap()).collect();
    let turn = phases.iter().position(|phase| *phase == "ERROR").unwrap();
    let around = ["REVIEWING", "ERROR", "REVIEWING", "REVIEWED"];
    assert_eq!(phases[turn - 1..=turn + 2], around, "{phases:?}");
    scene.expect(0, &format!("gated run {id}"));
    assert_eq!(scene.asked().len(), CALLS.len() + ATTEMPTS);
    scene.expect(0, "verify");
}

#[test]
fn a_person_can_answer_for_a_program_that_fails() {
    let scene = Scene::new("java");
    scene.does("planning-1", "exit 9\n");
    scene.open_gates();
    let id = scene.begun("jpa-auto", PROGRAMS);
    scene.expect(1, &format!("gated run {id}"));
    let response = format!("{}/iteration-1/planning-response.md", scene.folder(&id));
    scene.sandbox.write(&response, "By hand.\n");
    check_a_person_lets_it_pass(&scene, &id);
    assert_eq!(scene.file(&id, "plan.md"), "By hand.\n");
    assert_eq!(scene.asked()[ATTEMPTS..], CALLS[1..]);
    scene.expect(0, "verify");
}

/// A review that its reviewer cannot bring into form is for a person, who may edit it.
#[test]
fn a_review_that_was_edited_into_form_goes_on() {
    let scene = Scene::new("java");
    scene.says("review-1", super::scene::BLOCKLESS);
    scene.open_gates();
    let id = scene.begun("jpa-auto", PROGRAMS);
    scene.expect(3, &format!("gated run {id}"));
    assert_eq!(scene.asked().iter().filter(|call| *call == "review-1").count(), 2, "one repair");
    let asked = scene.asked().len();
    let response = format!("{}/iteration-1/review-response.md", scene.folder(&id));
    scene.sandbox.write(&response, FAIL);
    scene.expect(0, &format!("gated approve {id}"));
    let ended = scene.expect(0, &format!("gated run {id}"));
    assert!(ended.out.contains("REVIEW: FAIL | issues=2 (critical=1)"), "{}", ended.out);
    assert_eq!(scene.asked()[asked..], CALLS[3..]);
    assert_eq!(scene.sandbox.read(&response), FAIL);
    assert_eq!(scene.file(&id, "iteration-2/review-response.md"), PASS);
    scene.expect(0, "verify");
}

/// An open gate lets no file pass for the agent that is cast: a person approves it, and then the session goes on.
pub(crate) fn check_a_person_lets_it_pass(scene: &Scene, id: &str) {
    let waiting = scene.expect(3, &format!("gated run {id}"));
    assert!(waiting.err.contains("the response came from a file"), "{}", waiting.err);
    scene.expect(0, &format!("gated approve {id}"));
    scene.expect(0, &format!("gated run {id}"));
}

/// Whoever can write to the folder, such as another agent, does not speak for the reviewer.
#[test]
fn a_review_that_another_agent_wrote_passes_no_open_gate() {
    let scene = Scene::new("java");
    scene.open_gates();
    let id = scene.begun("jpa-auto", PROGRAMS);
    scene.expect(0, &format!("gated step {id}"));
    let review = format!("{}/iteration-1/review-response.md", scene.folder(&id));
    scene.sandbox.write(&review, PASS);
    let waiting = scene.expect(3, &format!("gated run {id}"));
    assert!(waiting.err.contains("the response came from a file"), "{}", waiting.err);
    assert_eq!(scene.stands(&id).0, "REVIEWED");
    let rejected = format!("gated reject {id} --feedback forged");
    scene.expect(0, &rejected);
    scene.expect(0, &format!("gated run {id}"));
    assert!(scene.asked().contains(&"review-1".to_owned()), "{:?}", scene.asked());
}

/// An open gate lets pass what came, and nothing that was made of it meanwhile.
#[test]
fn an_edit_at_an_open_gate_waits_for_a_person() {
    let scene = Scene::new("java");
    scene.open_gates();
    let id = scene.begun("jpa-auto", PROGRAMS);
    for _ in 0..2 {
        scene.expect(0, &format!("gated step {id}"));
    }
    scene
        .sandbox
        .write(&format!("{}/iteration-1/planning-response.md", scene.folder(&id)), "Mine.\n");
    let waiting = scene.expect(3, &format!("gated run {id}"));
    assert!(waiting.err.contains("planning-response.md is not as it came"), "{}", waiting.err);
    scene.expect(0, &format!("gated approve {id}"));
    scene.expect(0, &format!("gated run {id}"));
    assert_eq!(scene.file(&id, "plan.md"), "Mine.\n");
}
