//! The workspaces that `--fake-runner` makes by itself.

use crate::{sandbox::Sandbox, scene::document};

const FAKE: &str = "podcast review --fake-runner --asset-id description";

/// A new workspace at this place is made, named and reviewed, and nothing else changes.
fn check(sandbox: &Sandbox, place: &str) {
    assert!(!sandbox.join(place).exists());
    let before = sandbox.files(".");
    let ended = sandbox.expect(0, FAKE);
    assert!(ended.out.lines().any(|line| line == format!("Workspace: {place}")), "{}", ended.out);
    let assets = document(sandbox, &format!("{place}/state.json"))["assets"].clone();
    assert_eq!(assets[0]["reviews"].as_array().unwrap().len(), 2);
    assert!(sandbox.join(&format!("{place}/copy/selected/description.md")).exists());
    let mut after = sandbox.files(".");
    after.retain(|path, _| !path.starts_with(&format!("{place}/")));
    assert!(after == before, "files beside {place} have changed");
}

#[test]
fn the_fake_runner_reviews_the_workspace_that_it_names() {
    let sandbox = Sandbox::new();
    check(&sandbox, "demo_workspace");
    check(&sandbox, "demo_workspace_2");
    std::fs::remove_dir_all(sandbox.join("demo_workspace")).unwrap();
    check(&sandbox, "demo_workspace");
    check(&sandbox, "demo_workspace_3");
}

#[test]
fn a_demo_workspace_that_its_home_still_knows_is_not_taken_for_a_new_one() {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    check(&sandbox, "demo_workspace");
    std::fs::remove_dir_all(sandbox.join("demo_workspace")).unwrap();
    check(&sandbox, "demo_workspace_2");
}

#[test]
fn a_mistake_in_the_command_leaves_no_workspace_behind() {
    for more in ["--reviewer nope", "--creator nope", "--asset-id a/b", "--max-iterations 0"] {
        let sandbox = Sandbox::new();
        sandbox.expect(2, &format!("{FAKE} {more}"));
        assert_eq!(std::fs::read_dir(sandbox.path()).unwrap().count(), 0, "{more}");
    }
}
