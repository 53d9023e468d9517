//! Where the repository and its home stand, and what the user has in the way of a change.

use super::{
    cast::{builds, cast, criticises, proposes, verifies},
    last_line,
    projects::JAVASCRIPT,
    repositories::{Repository, differing},
};
use std::path::PathBuf;

/// A repository whose pair mends it in one turn.
fn mended_at_once() -> Repository {
    let repository = Repository::of(&JAVASCRIPT);
    let builder = [builds(1, &JAVASCRIPT.diff(JAVASCRIPT.right))];
    cast(&repository, &[proposes(), criticises(1, &[]), verifies(1)], &builder);
    repository
}

#[test]
fn a_home_in_the_repository_itself_is_no_part_of_the_change() {
    let repository = mended_at_once();
    repository.sandbox.expect(0, "init repo");
    let status = repository.git("status --porcelain");
    let before = repository.snapshot();
    let ended = repository.pair(&["--apply"]);
    assert_eq!((ended.code, last_line(&ended)), (0, "CONVERGED"), "{}", ended.err);
    let home = repository.folder().join(".redraft");
    let changed = differing(&before, &repository.snapshot());
    let elsewhere: Vec<PathBuf> =
        changed.into_iter().filter(|path| !path.starts_with(&home)).collect();
    assert_eq!(elsewhere, [repository.folder().join(JAVASCRIPT.source)]);
    assert!(!home.join("worktrees").exists() && home.exists());
    assert!(!ended.out.contains(".redraft"), "{}", ended.out);
    let mended = format!(" M {}\n", JAVASCRIPT.source);
    assert_eq!(repository.git("status --porcelain").replace(&mended, ""), status);
}

#[test]
fn an_edit_of_the_user_that_is_in_the_way_stays_and_the_change_is_printed_all_the_same() {
    let repository = mended_at_once();
    let own = JAVASCRIPT.text("  title.trim();");
    repository.sandbox.write("repo/slug.js", &own);
    let before = repository.snapshot();
    let ended = repository.pair(&["--apply"]);
    assert_eq!((ended.code, last_line(&ended)), (1, "CONVERGED"), "{}", ended.err);
    assert!(ended.err.contains("not applied: ") && ended.err.contains("slug.js"), "{}", ended.err);
    assert!(ended.out.contains(&format!("\n+{}\n", JAVASCRIPT.right)), "{}", ended.out);
    assert_eq!(differing(&before, &repository.snapshot()), Vec::<PathBuf>::new());
    repository.assert_tidy();
}

#[test]
fn a_change_that_the_user_has_made_meanwhile_is_there_already() {
    let repository = mended_at_once();
    repository.sandbox.write("repo/slug.js", JAVASCRIPT.text(JAVASCRIPT.right));
    let before = repository.snapshot();
    let ended = repository.pair(&["--apply"]);
    assert_eq!((ended.code, last_line(&ended)), (0, "CONVERGED"), "{}", ended.err);
    assert!(ended.err.contains(", which had it before"), "{}", ended.err);
    assert_eq!(differing(&before, &repository.snapshot()), Vec::<PathBuf>::new());
}
