//! Sessions whose roles are played by programs: they stop at gates and nowhere else.

mod caps;
mod holding;
pub(crate) mod scene;
pub(crate) mod slow;
mod unreadable;

use scene::{CALLS, PROGRAMS, Scene};

/// The gates of a session that fails once, by phase and iteration.
const GATES: [(&str, u64); 5] =
    [("PLANNED", 1), ("GENERATED", 1), ("REVIEWED", 1), ("REVISED", 2), ("REVIEWED", 2)];

fn by(who: &str) -> Vec<(String, u64, String)> {
    GATES.iter().map(|(phase, iteration)| ((*phase).into(), *iteration, who.into())).collect()
}

fn check_gates(profile: &str, extension: &str) {
    let scene = Scene::new(extension);
    let id = scene.begun(profile, PROGRAMS);
    for (gate, response) in [
        ("PLANNED", "iteration-1/planning-response.md"),
        ("GENERATED", "iteration-1/generation-response.md"),
        ("REVIEWED", "iteration-1/review-response.md"),
        ("REVISED", "iteration-2/revision-response.md"),
        ("REVIEWED", "iteration-2/review-response.md"),
    ] {
        let stopped = scene.expect(3, &format!("gated run {id}"));
        assert!(
            stopped.out.contains(&format!("phase={gate} status=in_progress")),
            "{}",
            stopped.out
        );
        assert!(stopped.out.contains("noop_awaiting_approval=true"), "{}", stopped.out);
        assert!(
            stopped.out.lines().any(|line| line.ends_with(response)),
            "{gate}: {}",
            stopped.out
        );
        let asks = format!("redraft gated approve {id}");
        assert!(stopped.err.contains(&asks), "{}", stopped.err);
        let asked = scene.asked();
        scene.expect(3, &format!("gated run {id}"));
        assert_eq!(scene.asked(), asked, "{gate}: a gate asks nobody");
        scene.expect(0, &format!("gated approve {id}"));
    }
    let ended = scene.expect(0, &format!("gated run {id}"));
    assert!(ended.out.contains("phase=COMPLETE status=success iteration=2"), "{}", ended.out);
    let line = "REVIEW: PASS | issues=0 (critical=0) | missing_inputs=0";
    assert!(ended.out.lines().any(|told| told == line), "{}", ended.out);
    assert_eq!(scene.asked(), CALLS);
    assert_eq!(scene.approvals(&id), by("Ada"));
    assert_eq!(scene.session(&id)["execution_mode"], "automatic");
    let code = |name: &str| scene.file(&id, &format!("iteration-2/code/{name}.{extension}"));
    assert_eq!(code("Order"), "// the first, mended\n");
    assert_eq!(code("OrderStore"), "// the second\n", "it is carried over");
    scene.expect(0, "verify");
}

#[test]
fn programs_stop_at_each_gate_and_go_on_once_it_is_approved() {
    check_gates("jpa-mt", "java");
    check_gates("sqlx-rust", "rs");
}

#[test]
fn with_open_gates_one_run_goes_from_init_to_complete() {
    let scene = Scene::new("java");
    scene.open_gates();
    let id = scene.begun("jpa-auto", PROGRAMS);
    let ended = scene.expect(0, &format!("gated run {id}"));
    assert!(ended.out.contains("phase=COMPLETE status=success iteration=2"), "{}", ended.out);
    assert_eq!(scene.asked(), CALLS);
    assert_eq!(scene.approvals(&id), by("profile"));
    scene.expect(0, "verify");
    let files = scene.sandbox.files(&scene.folder(&id));
    scene.expect(0, &format!("gated run {id}"));
    assert!(scene.sandbox.files(&scene.folder(&id)) == files, "a complete session stays as it is");
    assert_eq!(scene.asked(), CALLS);
}
