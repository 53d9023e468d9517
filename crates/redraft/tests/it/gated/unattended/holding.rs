//! What an open gate does not let pass: it waits for a person all the same.

use super::scene::{BLOCKLESS, FAIL, PASS, PROGRAMS, Scene};

fn with_open_gates() -> Scene {
    let scene = Scene::new("java");
    scene.open_gates();
    scene
}

/// The session waits in this gate, and running it on changes nothing and asks nobody.
fn check_waits(scene: &Scene, id: &str, told: &str) {
    let (asked, files) = (scene.asked(), scene.sandbox.files(&scene.folder(id)));
    for verb in ["run", "step"] {
        let waits = scene.expect(3, &format!("gated {verb} {id}"));
        assert!(waits.out.contains("phase=REVIEWED status=in_progress"), "{}", waits.out);
        assert!(waits.err.contains(told), "{told}: {}", waits.err);
    }
    assert_eq!(scene.asked(), asked);
    assert!(scene.sandbox.files(&scene.folder(id)) == files);
    assert!(!scene.approvals(id).iter().any(|(phase, iteration, _)| {
        phase == "REVIEWED" && Some(*iteration) == scene.session(id)["current_iteration"].as_u64()
    }));
}

#[test]
fn a_review_without_its_block_never_passes_an_open_gate() {
    let scene = with_open_gates();
    scene.says("review-1", BLOCKLESS);
    let id = scene.begun("jpa-auto", PROGRAMS);
    let stopped = scene.expect(3, &format!("gated run {id}"));
    assert!(stopped.err.contains("@@@REVIEW_META"), "the fix is named: {}", stopped.err);
    check_waits(&scene, &id, "the review cannot be read");
    scene.expect(3, &format!("gated approve {id}"));
}

#[test]
fn a_pass_with_critical_issues_never_passes_an_open_gate() {
    let scene = with_open_gates();
    scene.says("review-1", &FAIL.replace("FAIL", "PASS"));
    let id = scene.begun("jpa-auto", PROGRAMS);
    let stopped = scene.expect(3, &format!("gated run {id}"));
    assert!(stopped.err.contains("critical"), "{}", stopped.err);
    check_waits(&scene, &id, "the review cannot be read");
}

#[test]
fn a_fail_of_the_last_iteration_waits_until_more_are_allowed() {
    let scene = with_open_gates();
    let id = scene.begun("jpa-auto", &format!("{PROGRAMS} --max-iterations 1"));
    scene.expect(3, &format!("gated run {id}"));
    check_waits(&scene, &id, "iteration 1 is the last one: allow more with --max-iterations N");
    assert_eq!(scene.asked().len(), 3);
    scene.expect(0, &format!("gated run {id} --max-iterations 2"));
    assert_eq!(scene.stands(&id), ("COMPLETE".into(), "success".into()));
    assert_eq!(scene.session(&id)["max_iterations"], 2);
    scene.expect(0, "verify");
}

/// The reviser disputes R2 in iterations 2 and 3, and the reviewer upholds it each time.
fn disputing() -> Scene {
    let scene = with_open_gates();
    let file = "<<<FILE: Order.java>>>\n// mended\n";
    for iteration in [2, 3, 4] {
        let revision = format!("R1: mended.\n\nDISPUTED ISSUES\n- R2: it is brief enough.\n{file}");
        scene.says(&format!("revision-{iteration}"), &revision);
        scene.says(
            &format!("review-{iteration}"),
            &format!("{FAIL}\n## Disputes\n- R2: upheld, it is not.\n"),
        );
    }
    scene
}

#[test]
fn a_dispute_that_was_upheld_twice_waits_for_a_person_and_goes_on_once_approved() {
    let scene = disputing();
    scene.says("review-4", PASS);
    let id = scene.begun("jpa-auto", &format!("{PROGRAMS} --max-iterations 5"));
    scene.expect(3, &format!("gated run {id}"));
    assert_eq!(scene.session(&id)["current_iteration"], 3);
    check_waits(&scene, &id, "R2 was disputed twice and upheld twice: a person decides");
    scene.expect(0, &format!("gated approve {id}"));
    scene.expect(0, &format!("gated run {id}"));
    assert_eq!(scene.stands(&id), ("COMPLETE".into(), "success".into()));
    let approvals = scene.approvals(&id);
    let of_people: Vec<_> = approvals.iter().filter(|(_, _, by)| by == "Ada").collect();
    assert_eq!(of_people, [&("REVIEWED".to_owned(), 3, "Ada".to_owned())], "{approvals:?}");
    scene.expect(0, "verify");
}

#[test]
fn a_dispute_that_was_withdrawn_or_is_of_another_issue_waits_for_nobody() {
    for answer in ["R2: withdrawn.", "R1: upheld.", "R2 was upheld before."] {
        let scene = disputing();
        scene.says("review-3", &format!("{FAIL}\n## Disputes\n- {answer}\n"));
        scene.says("review-4", PASS);
        let id = scene.begun("jpa-auto", &format!("{PROGRAMS} --max-iterations 5"));
        scene.expect(0, &format!("gated run {id}"));
    }
}

#[test]
fn only_the_gates_that_a_profile_opens_are_open() {
    let scene = Scene::new("java");
    let opened =
        [("role = \"generator\"\ngate = \"person\"", "role = \"generator\"\ngate = \"auto\"")];
    scene.varied("jpa-mt", "jpa-half", &opened);
    let id = scene.begun("jpa-half", PROGRAMS);
    for gate in ["PLANNED", "REVIEWED", "REVISED", "REVIEWED"] {
        let stopped = scene.expect(3, &format!("gated run {id}"));
        assert!(stopped.out.contains(&format!("phase={gate} ")), "{}", stopped.out);
        scene.expect(0, &format!("gated approve {id}"));
    }
    scene.expect(0, &format!("gated run {id}"));
    let by: Vec<String> = scene.approvals(&id).into_iter().map(|(_, _, by)| by).collect();
    assert_eq!(by, ["Ada", "profile", "Ada", "Ada", "Ada"]);
}
