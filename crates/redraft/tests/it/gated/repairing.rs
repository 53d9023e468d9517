//! Session folders that somebody damaged, and `redraft repair --session`.

use super::showing::scene::Scene;
use crate::sandbox::Ended;
use std::fs;

const FILES: [(&str, &str); 2] = [("a.rs", "fn a() {}\n"), ("b.rs", "fn b() {}\n")];

/// A session whose second iteration waits for approval.
fn revised() -> Scene {
    let scene = Scene::generated(&FILES);
    scene.pass();
    scene.review(1, "FAIL", "b is wrong");
    scene.pass();
    scene.revise(2, &[("b.rs", "fn better() {}\n")]);
    scene
}

fn repair(scene: &Scene) -> Ended {
    scene.sandbox.expect(0, &format!("repair --session {}", scene.id))
}

/// Checks that every verb names these files, that a repair restores them, and that there is nothing left to repair.
#[track_caller]
fn check(scene: &Scene, damage: impl Fn(&Scene), named: &[&str]) -> Ended {
    let before = scene.sandbox.files(&scene.at(""));
    damage(scene);
    for verb in ["status", "step", "approve", "cancel"] {
        let told = scene.gated(6, verb).err;
        for path in named {
            assert!(told.contains(&format!("{path}: it ")), "{verb}: {path} is not named:\n{told}");
        }
        let help = format!("redraft repair --session {} puts what differs aside", scene.id);
        assert!(told.contains(&help), "{told}");
    }
    let repaired = repair(scene);
    let after = scene.sandbox.files(&scene.at(""));
    for (path, text) in &before {
        assert!(after.get(path) == Some(text), "{path} is not as it was\n{}", repaired.out);
    }
    scene.gated(0, "status");
    assert!(repair(scene).out.contains("Every file is as the journal has it."));
    assert!(scene.sandbox.files(&scene.at("")) == after, "a second repair changes nothing");
    repaired
}

#[test]
fn files_that_were_changed_or_removed_are_named_restored_and_kept() {
    let scene = revised();
    let damage = |scene: &Scene| {
        scene.write("plan.md", "another plan\n");
        scene.write("iteration-1/code/a.rs", [0xff, 0xfe]);
        for gone in ["iteration-1/code/b.rs", "iteration-1/review-response.md"] {
            fs::remove_file(scene.sandbox.join(&scene.at(gone))).unwrap();
        }
    };
    let named = [
        "plan.md",
        "iteration-1/code/a.rs",
        "iteration-1/code/b.rs",
        "iteration-1/review-response.md",
    ];
    let repaired = check(&scene, damage, &named).out;
    for path in named {
        assert!(repaired.contains(&format!("Restored: {path}\n")), "{repaired}");
    }
    assert!(repaired.contains("Kept: plan.md.damaged-1\n"), "{repaired}");
    assert_eq!(scene.read("plan.md.damaged-1"), "another plan\n");
    let kept = scene.sandbox.join(&scene.at("iteration-1/code/a.rs.damaged-1"));
    assert_eq!(fs::read(kept).unwrap(), [0xff, 0xfe]);
}

#[test]
fn a_second_damage_of_a_file_is_kept_beside_the_first() {
    let scene = revised();
    for (n, text) in [(1, "one\n"), (2, "two\n")] {
        check(&scene, |scene| scene.write("plan.md", text), &["plan.md"]);
        assert_eq!(scene.read(&format!("plan.md.damaged-{n}")), text);
    }
}

#[test]
fn a_session_file_is_restored_however_it_was_damaged() {
    let scene = revised();
    let whole = scene.read("session.json");
    let facts = whole.lines().find(|line| line.contains("\"facts\"")).unwrap().to_owned();
    for text in [
        "",
        "null",
        &whole[..40],
        &whole.replace("REVISED", "COMPLETE"),
        &whole.replace(&facts, "  \"facts\": 0"),
        &whole.replace(&facts, "  \"facts\": 99999"),
        &whole.replace(&facts, "  \"facts\": 3"),
    ] {
        let repaired = check(&scene, |scene| scene.write("session.json", text), &["session.json"]);
        assert!(repaired.out.contains("Kept: session.json.damaged-"), "{}", repaired.out);
    }
    let place = scene.sandbox.join(&scene.at("session.json"));
    check(&scene, |_| fs::remove_file(&place).unwrap(), &["session.json"]);
    let folder = |_: &Scene| {
        fs::remove_file(&place).unwrap();
        fs::create_dir(&place).unwrap();
    };
    check(&scene, folder, &["session.json"]);
}

#[test]
fn a_folder_that_is_gone_comes_back_whole() {
    let scene = revised();
    let place = scene.sandbox.join(&scene.at(""));
    let named = ["session.json", "plan.md", "standards-bundle.md", "iteration-1/code/a.rs"];
    check(&scene, |_| fs::remove_dir_all(&place).unwrap(), &named);
    scene.pass();
}

#[test]
fn what_a_person_may_change_is_left_as_it_is_even_where_nobody_knows_how_the_folder_stood() {
    let scene = revised();
    let mine = "fn mine() {}\n";
    scene.write("iteration-2/code/b.rs", mine);
    scene.write("session.json", "{");
    let repaired = repair(&scene).out;
    assert!(repaired.contains("Yours: iteration-2/code/b.rs (changed by you"), "{repaired}");
    assert_eq!(scene.read("iteration-2/code/b.rs"), mine);
    scene.pass();
    scene.gated(0, "status");
    assert_eq!(scene.read("iteration-2/code/b.rs"), mine);
}

#[test]
fn a_response_that_was_sent_back_stays_aside() {
    let scene = Scene::generated(&FILES);
    scene.gated(0, "reject --feedback shorter");
    scene.respond("iteration-1/generation-response.md", "<<<FILE: c.rs>>>\nfn c() {}\n");
    fs::remove_file(scene.sandbox.join(&scene.at("session.json"))).unwrap();
    fs::remove_file(scene.sandbox.join(&scene.at("iteration-1/generation-response.rejected-1.md")))
        .unwrap();
    repair(&scene);
    assert!(scene.read("iteration-1/generation-response.md").contains("c.rs"));
    assert_eq!(scene.read("iteration-1/code/c.rs"), "fn c() {}\n");
    scene.pass();
}

#[test]
fn a_repair_that_was_cut_off_is_made_up_for() {
    let scene = revised();
    let before = scene.sandbox.files(&scene.at(""));
    // As it stands when somebody is killed between putting aside and writing.
    for path in ["plan.md", "iteration-1/code/a.rs", "session.json"] {
        let place = scene.sandbox.join(&scene.at(path));
        fs::rename(&place, scene.sandbox.join(&scene.at(&format!("{path}.damaged-1")))).unwrap();
        repair(&scene);
        let after = scene.sandbox.files(&scene.at(""));
        assert!(before.iter().all(|(path, text)| after.get(path) == Some(text)), "{path}");
    }
}

#[test]
fn a_repair_without_a_session_says_how_where_there_are_only_sessions() {
    let scene = Scene::begun();
    let refused = scene.sandbox.expect(2, "repair").err;
    assert!(refused.contains("redraft repair --session ID"), "{refused}");
    let unknown = scene.sandbox.expect(2, "repair --session nobody").err;
    assert!(unknown.contains("there is no session nobody"), "{unknown}");
    scene.sandbox.expect(0, "verify");
    let repaired = scene.sandbox.json(&format!("repair --session {}", &scene.id[..8]));
    assert_eq!(repaired["session_id"], scene.id.as_str());
    assert_eq!(repaired["restored"], serde_json::json!([]));
}
