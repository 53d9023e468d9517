//! A finished diff in the user's own files: applied, known again, or refused as a whole.

use super::ground::*;
use redraft_agents::worktree::{Applied, Root, apply};
use std::{fs, path::Path};

const LINES: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
const CHANGED: &str = "one\n2\nthree\nfour\nfive\nsix\nseven\n";

/// The diff that a builder's work in a worktree comes to.
async fn diff_of(ground: &Ground, work: impl FnOnce(&Path)) -> String {
    let tree = ground.tree().await;
    work(tree.place());
    let diff = applied(tree.changed(&rules()).await.unwrap());
    tree.remove().await.unwrap();
    diff
}

async fn hand_over(ground: &Ground, diff: &str) -> Applied {
    apply(&ground.found().await, diff).await.unwrap()
}

/// Refused with these words, and nothing of the user's is different.
pub(super) async fn assert_refused(ground: &Ground, diff: &str, words: &str) {
    let before = print(ground.home.path());
    match hand_over(ground, diff).await {
        Applied::Refused(why) => assert!(why.contains(words), "{words}: {why}"),
        other => panic!("{words}: {other:?}"),
    }
    assert_same(&print(ground.home.path()), &before, words);
}

fn lines(ground: &Ground) -> String {
    fs::read_to_string(ground.root().join("src/lines.txt")).unwrap()
}

/// What is git's: index, `HEAD`, branches and objects.
fn gits(ground: &Ground) -> Print {
    print(&ground.root().join(".git"))
}

#[tokio::test]
async fn a_diff_reaches_the_files_and_nothing_of_gits() {
    let ground = Ground::new();
    let diff = diff_of(&ground, |place| {
        write(place, "src/lines.txt", CHANGED);
        write(place, "new/deep/file.txt", "x\n");
        write(place, "empty.txt", "");
        write(place, "new\nline.txt", "b\n");
        fs::remove_file(place.join("secret/../with space.txt")).unwrap();
    })
    .await;
    let before = gits(&ground);
    assert_eq!(hand_over(&ground, &diff).await, Applied::Now);
    assert_same(&gits(&ground), &before, "git's");
    assert_eq!(lines(&ground), CHANGED);
    assert!(!ground.root().join("with space.txt").exists());
    assert_eq!(fs::read(ground.root().join("empty.txt")).unwrap(), b"");
    let status = ground.git(&["status", "--porcelain", "-uall"]);
    let expected = " M \"new\\nline.txt\"\n M src/lines.txt\n D \"with space.txt\"\n?? empty.txt\n?? new/deep/file.txt\n";
    assert_eq!(status, expected);
}

#[tokio::test]
async fn a_diff_that_is_there_already_is_said_to_be_there() {
    let ground = Ground::new();
    let diff = diff_of(&ground, |place| {
        write(place, "src/lines.txt", CHANGED);
        write(place, "new.txt", "x\n");
    })
    .await;
    assert_eq!(hand_over(&ground, &diff).await, Applied::Now);
    let before = ground.print();
    assert_eq!(hand_over(&ground, &diff).await, Applied::AlreadyThere);
    assert_same(&ground.print(), &before, "applied twice");
    ground.write("src/lines.txt", &CHANGED.replace("seven", "7"));
    assert_eq!(hand_over(&ground, &diff).await, Applied::AlreadyThere);
}

#[tokio::test]
async fn an_empty_diff_changes_nothing() {
    let ground = Ground::new();
    let before = ground.print();
    assert_eq!(hand_over(&ground, "").await, Applied::Nothing);
    assert_same(&ground.print(), &before, "empty");
}

#[tokio::test]
async fn the_users_own_edits_stay_beside_the_diff() {
    let ground = Ground::new();
    let (long, changed) = (LINES.repeat(3), format!("{LINES}{CHANGED}{LINES}"));
    ground.write("long.txt", &long);
    ground.commit();
    let diff = diff_of(&ground, |place| write(place, "long.txt", &changed)).await;
    ground.write("long.txt", &format!("zero\n{}{LINES}end\n", LINES.repeat(2)));
    ground.write("README.md", "staged\n");
    ground.git(&["add", "README.md"]);
    ground.write("README.md", "staged and changed\n");
    let before = gits(&ground);
    assert_eq!(hand_over(&ground, &diff).await, Applied::Now);
    let read = |path: &str| fs::read_to_string(ground.root().join(path)).unwrap();
    assert_eq!(read("long.txt"), format!("zero\n{changed}end\n"));
    assert_eq!(read("README.md"), "staged and changed\n");
    assert_same(&gits(&ground), &before, "git's");
}

#[tokio::test]
async fn a_diff_that_fits_in_one_file_only_changes_none() {
    let ground = Ground::new();
    let diff = diff_of(&ground, |place| {
        write(place, "README.md", "# Other\n\nSmall tools.\n");
        write(place, "src/lines.txt", CHANGED);
    })
    .await;
    ground.write("src/lines.txt", &LINES.replace("two", "zwei"));
    assert_refused(&ground, &diff, "src/lines.txt: patch does not apply").await;
    assert_refused(&ground, "words\n", "No valid patches").await;
    assert_refused(&ground, &TWO.replace("@@ -1,5", "@@ -1,9"), "corrupt patch").await;
}

#[tokio::test]
async fn half_of_a_diff_is_neither_there_nor_applied() {
    let ground = Ground::new();
    let diff = diff_of(&ground, |place| {
        write(place, "README.md", "# Other\n\nSmall tools.\n");
        write(place, "src/lines.txt", CHANGED);
    })
    .await;
    ground.write("src/lines.txt", CHANGED);
    assert_refused(&ground, &diff, "src/lines.txt").await;
}

const ALIKE: &str = "{\n  a\n  b\n  two\n  c\n  d\n}\n";

/// Blocks alike, of which these are changed.
fn blocks(changed: [bool; 4]) -> String {
    changed.map(|is| if is { ALIKE.replace("two", "2") } else { ALIKE.to_owned() }).concat()
}

#[tokio::test]
async fn a_diff_is_not_applied_once_more_to_the_next_place_like_it() {
    let ground = Ground::new();
    ground.write("list.txt", &blocks([false; 4]));
    ground.commit();
    let second = blocks([false, true, false, false]);
    let diff = diff_of(&ground, |place| write(place, "list.txt", &second)).await;
    assert_eq!(hand_over(&ground, &diff).await, Applied::Now);
    let before = ground.print();
    assert_eq!(hand_over(&ground, &diff).await, Applied::AlreadyThere);
    assert_same(&ground.print(), &before, "applied twice");
    // Once it was changed further, nobody can tell.
    ground.write("list.txt", &format!("{second}end\n"));
    assert_refused(&ground, &diff, "list.txt: the change fits forwards and backwards").await;
}

#[tokio::test]
async fn a_diff_is_applied_where_something_like_its_result_stands_elsewhere() {
    let ground = Ground::new();
    ground.write("list.txt", &blocks([false, false, true, false]));
    ground.commit();
    let both = blocks([false, true, true, false]);
    let diff = diff_of(&ground, |place| write(place, "list.txt", &both)).await;
    assert_eq!(hand_over(&ground, &diff).await, Applied::Now);
    assert_eq!(fs::read_to_string(ground.root().join("list.txt")).unwrap(), both);
    assert_eq!(hand_over(&ground, &diff).await, Applied::AlreadyThere);
}

#[tokio::test]
async fn a_change_of_mode_is_applied_and_known_again_and_fits_edited_files() {
    use std::os::unix::fs::PermissionsExt;
    let ground = Ground::new();
    let diff = diff_of(&ground, |place| {
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(place.join("README.md"), mode).unwrap();
    })
    .await;
    assert_eq!(diff, "diff --git a/README.md b/README.md\nold mode 100644\nnew mode 100755\n");
    let path = ground.root().join("README.md");
    let is_program = || fs::metadata(&path).unwrap().permissions().mode() & 0o100 != 0;
    assert_eq!(hand_over(&ground, &diff).await, Applied::Now);
    assert!(is_program());
    assert_eq!(hand_over(&ground, &diff).await, Applied::AlreadyThere);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    ground.write("README.md", "edited\n");
    assert_eq!(hand_over(&ground, &diff).await, Applied::Now);
    assert!(is_program());
    assert_eq!(fs::read(&path).unwrap(), b"edited\n");
}

#[tokio::test]
async fn a_subfolder_stands_for_its_repository() {
    let ground = Ground::new();
    let root = Root::find(&ground.root().join("secret")).await.unwrap();
    assert_eq!(apply(&root, TWO).await.unwrap(), Applied::Now);
    assert_eq!(lines(&ground), CHANGED);
    ground.git(&["checkout", "-q", "--", "."]);
    ground.git(&["worktree", "add", "-q", "-b", "side", "../side"]);
    let root = Root::find(&ground.home.path().join("side/src")).await.unwrap();
    assert_eq!(apply(&root, TWO).await.unwrap(), Applied::Now);
    let side = fs::read_to_string(ground.home.path().join("side/src/lines.txt")).unwrap();
    assert_eq!((lines(&ground), side), (LINES.to_owned(), CHANGED.to_owned()));
}

#[tokio::test]
async fn the_users_configuration_does_not_change_what_is_applied() {
    let ground = Ground::new();
    for setting in [
        ["apply.whitespace", "fix"],
        ["apply.ignoreWhitespace", "change"],
        ["core.whitespace", "trailing-space,space-before-tab,tab-in-indent,cr-at-eol"],
        ["diff.noprefix", "true"],
        ["core.hooksPath", "/no/such"],
        ["core.fsmonitor", "/no/such"],
        ["core.safecrlf", "true"],
    ] {
        ground.git(&["config", setting[0], setting[1]]);
    }
    let trailing = TWO.replace("+2\n", "+\t2  \n");
    assert_eq!(hand_over(&ground, &trailing).await, Applied::Now);
    assert_eq!(lines(&ground), CHANGED.replace('2', "\t2  "));
    assert_eq!(hand_over(&ground, &trailing).await, Applied::AlreadyThere);
    ground.git(&["config", "apply.whitespace", "error-all"]);
    ground.git(&["checkout", "-q", "--", "."]);
    assert_eq!(hand_over(&ground, &trailing).await, Applied::Now);
    // What differs by blanks is not the same line.
    ground.write("src/lines.txt", &LINES.replace("two", "two  "));
    assert_refused(&ground, TWO, "src/lines.txt").await;
}

#[tokio::test]
async fn line_ends_are_the_users() {
    let ground = Ground::new();
    let diff = diff_of(&ground, |place| {
        write(place, "src/lines.txt", CHANGED);
        write(place, "src/crlf.txt", "one\r\n2\r\nthree\r\n");
    })
    .await;
    assert_eq!(hand_over(&ground, &diff).await, Applied::Now);
    let read = |path: &str| fs::read_to_string(ground.root().join(path)).unwrap();
    assert_eq!(read("src/crlf.txt"), "one\r\n2\r\nthree\r\n");
    ground.git(&["config", "core.autocrlf", "true"]);
    for path in ["src/lines.txt", "src/crlf.txt"] {
        fs::remove_file(ground.root().join(path)).unwrap();
    }
    ground.git(&["checkout", "-q", "--", "."]);
    assert_eq!(lines(&ground), LINES.replace('\n', "\r\n"));
    assert_eq!(hand_over(&ground, &diff).await, Applied::Now);
    assert_eq!(lines(&ground), CHANGED.replace('\n', "\r\n"));
    assert_eq!(read("src/crlf.txt"), "one\r\n2\r\nthree\r\n");
    assert_eq!(hand_over(&ground, &diff).await, Applied::AlreadyThere);
    let numbers = ground.git(&["diff", "--numstat"]);
    assert_eq!(numbers, "1\t1\tsrc/crlf.txt\n1\t1\tsrc/lines.txt\n");
}
