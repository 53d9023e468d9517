//! Something stands in the way of a diff in the user's files: it is refused, and nothing is lost.

use super::{ground::*, handed_over::assert_refused, killed::wait_for};
use redraft_agents::worktree::{Applied, apply};
use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
};

/// A diff that makes this file, and one that changes another before it.
fn made(path: &str) -> String {
    format!(
        "{TWO}diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n"
    )
}

#[tokio::test]
async fn a_file_in_the_way_stays_be_it_unknown_to_git_or_ignored() {
    let ground = Ground::new();
    for path in ["notes.txt", "build.log", "target/built"] {
        ground.write(path, "mine\n");
        assert_refused(&ground, &made(path), &format!("{path}: already exists")).await;
        fs::remove_file(ground.root().join(path)).unwrap();
        assert_eq!(apply(&ground.found().await, &made(path)).await.unwrap(), Applied::Now);
        ground.git(&["checkout", "-q", "--", "."]);
    }
}

/// Git finds this out only when it has taken the first file away.
#[tokio::test]
async fn a_folder_in_the_way_stays_and_what_was_written_before_is_undone() {
    let ground = Ground::new();
    ground.write("src/lines.txt", "one\ntwo\nthree\nfour\nfive\nnever committed\n");
    let mode = fs::Permissions::from_mode(0o640);
    fs::set_permissions(ground.root().join("src/lines.txt"), mode).unwrap();
    ground.write("zoo/mine.txt", "mine\n");
    assert_refused(&ground, &made("zoo"), "'zoo'").await;
    assert_refused(&ground, &made("src"), "'src'").await;
}

#[tokio::test]
async fn a_write_that_breaks_off_is_undone_down_to_links_and_folders() {
    let ground = Ground::new();
    symlink("src/lines.txt", ground.root().join("link")).unwrap();
    ground.write("alone/gone.txt", "gone\n");
    ground.write("zz.txt", "a\n");
    ground.commit();
    let tree = ground.tree().await;
    fs::remove_file(tree.place().join("link")).unwrap();
    symlink("README.md", tree.place().join("link")).unwrap();
    fs::remove_file(tree.place().join("alone/gone.txt")).unwrap();
    write(tree.place(), "src/lines.txt", "one\n");
    write(tree.place(), "made/deep/a.txt", "a\n");
    write(tree.place(), "zz.txt", "b\n");
    let diff = applied(tree.changed(&rules()).await.unwrap());
    tree.remove().await.unwrap();
    // A program of the user's, through which git writes the last file, fails.
    fs::write(ground.root().join(".git/info/attributes"), "zz.txt filter=broken\n").unwrap();
    for (name, value) in [("clean", "cat"), ("smudge", "false"), ("required", "true")] {
        ground.git(&["config", &format!("filter.broken.{name}"), value]);
    }
    assert_refused(&ground, &diff, "zz.txt").await;
    ground.git(&["config", "filter.broken.smudge", "cat"]);
    assert_eq!(apply(&ground.found().await, &diff).await.unwrap(), Applied::Now);
    assert!(!ground.root().join("alone").exists());
}

#[tokio::test]
async fn a_write_that_has_begun_goes_on_when_nobody_waits_for_it() {
    let ground = Ground::new();
    let (begun, go) = (ground.home.path().join("begun"), ground.home.path().join("go"));
    std::process::Command::new("mkfifo").arg(&go).status().unwrap();
    let smudge = format!("touch '{}'; cat '{}'; cat", begun.display(), go.display());
    fs::write(ground.root().join(".git/info/attributes"), "lines.txt filter=slow\n").unwrap();
    ground.git(&["config", "filter.slow.smudge", &smudge]);
    let root = ground.found().await;
    let waiting = tokio::spawn(async move { apply(&root, TWO).await });
    wait_for("git to write", || begun.exists()).await;
    waiting.abort();
    assert!(waiting.await.unwrap_err().is_cancelled());
    fs::write(&go, "").unwrap();
    let file = ground.root().join("src/lines.txt");
    wait_for("the end", || fs::read_to_string(&file).is_ok_and(|text| text.contains("seven")))
        .await;
    assert!(fs::read_to_string(&file).unwrap().contains("\n2\n"));
}

#[tokio::test]
async fn nothing_is_written_through_a_link_that_the_user_made() {
    let ground = Ground::new();
    let outside = ground.home.path().join("outside");
    fs::rename(ground.root().join("src"), &outside).unwrap();
    symlink("../outside", ground.root().join("src")).unwrap();
    assert_refused(&ground, TWO, "beyond a symbolic link").await;
    let new = "diff --git a/src/new.txt b/src/new.txt\nnew file mode 100644\n--- /dev/null\n+++ b/src/new.txt\n@@ -0,0 +1 @@\n+x\n";
    assert_refused(&ground, new, "beyond a symbolic link").await;

    fs::remove_file(ground.root().join("src")).unwrap();
    fs::create_dir(ground.root().join("src")).unwrap();
    symlink("../../outside/lines.txt", ground.root().join("src/lines.txt")).unwrap();
    assert_refused(&ground, TWO, "src/lines.txt").await;
}

#[tokio::test]
async fn paths_outside_and_gits_own_are_refused() {
    let ground = Ground::new();
    for path in ["../outside.txt", ".git/hooks/pre-commit", "src/../../outside.txt"] {
        assert_refused(&ground, &made(path), path).await;
    }
}

#[tokio::test]
async fn a_folder_that_became_a_repository_of_its_own_is_left_alone() {
    let (ground, other) = (Ground::new(), Ground::new());
    git(&ground.root().join("src"), &["init", "-q"]);
    assert_refused(&ground, TWO, "src: is a repository of its own").await;
    let url = other.root().display().to_string();
    ground.git(&["submodule", "--quiet", "add", &url, "sub"]);
    let inside = TWO.replace("src/lines.txt", "sub/src/lines.txt");
    assert_refused(&ground, &inside, "sub: is a repository of its own").await;
}

#[tokio::test]
async fn a_submodule_is_a_repository_like_any_other() {
    let (ground, other) = (Ground::new(), Ground::new());
    let url = other.root().display().to_string();
    ground.git(&["submodule", "--quiet", "add", &url, "sub"]);
    let root = redraft_agents::worktree::Root::find(&ground.root().join("sub/src")).await.unwrap();
    assert_eq!(apply(&root, TWO).await.unwrap(), Applied::Now);
    let status = git(&ground.root().join("sub"), &["status", "--porcelain"]);
    assert_eq!(status, " M src/lines.txt\n");
}

#[tokio::test]
async fn files_that_a_sparse_checkout_leaves_out_are_refused_by_name() {
    let ground = Ground::new();
    ground.git(&["sparse-checkout", "set", "secret"]);
    assert_refused(&ground, TWO, "src/lines.txt: No such file").await;
}

/// Runs this shell text as the filter by which git reads (`clean`) or writes (`smudge`) this file of the user's.
fn filter(ground: &Ground, file: &str, how: &str, script: &str) {
    let line = format!("{file} filter=ours\n");
    fs::write(ground.root().join(".git/info/attributes"), line).unwrap();
    ground.git(&["config", "filter.ours.required", "true"]);
    for each in ["clean", "smudge"] {
        let does = if each == how { script } else { "cat" };
        ground.git(&["config", &format!("filter.ours.{each}"), does]);
    }
}

#[tokio::test]
async fn what_an_editor_saves_just_before_git_reads_it_is_kept_when_the_diff_no_longer_fits() {
    let ground = Ground::new();
    // Git asks forwards, backwards, and then writes.
    let calls = ground.home.path().join("calls");
    let save = "cat > /dev/null; echo saved | tee src/lines.txt";
    let script = format!(
        "echo x >> '{0}'; if test $(wc -l < '{0}') = 3; then {save}; else cat; fi",
        calls.display()
    );
    filter(&ground, "lines.txt", "clean", &script);
    let applied = apply(&ground.found().await, TWO).await.unwrap();
    assert_eq!(fs::read_to_string(&calls).unwrap(), "x\nx\nx\n");
    assert!(matches!(&applied, Applied::Refused(why) if why.contains("does not apply")));
    assert_eq!(fs::read_to_string(ground.root().join("src/lines.txt")).unwrap(), "saved\n");
}

#[tokio::test]
async fn what_an_editor_saves_while_git_breaks_off_is_kept_and_told_and_all_else_set_back() {
    for end in ["exit 1", "kill -KILL $PPID", "kill -INT $PPID; cat"] {
        let ground = Ground::new();
        ground.write("zz.txt", "a\n");
        ground.commit();
        let tree = ground.tree().await;
        write(tree.place(), "README.md", "# Other\n");
        write(tree.place(), "src/lines.txt", "one\n");
        write(tree.place(), "made/new.txt", "made\n");
        write(tree.place(), "zz.txt", "b\n");
        let diff = applied(tree.changed(&rules()).await.unwrap());
        tree.remove().await.unwrap();
        let lines = fs::read(ground.root().join("src/lines.txt")).unwrap();
        let script = format!("test -d .git && echo saved > README.md; {end}");
        filter(&ground, "zz.txt", "smudge", &script);
        let Applied::Refused(why) = apply(&ground.found().await, &diff).await.unwrap() else {
            panic!("{end}: applied")
        };
        assert!(why.contains("README.md: changed meanwhile"), "{end}: {why}");
        let read = |path: &str| fs::read(ground.root().join(path)).unwrap();
        assert_eq!(read("README.md"), b"saved\n", "{end}");
        assert_eq!((read("src/lines.txt"), read("zz.txt")), (lines, b"a\n".to_vec()), "{end}");
        assert!(!ground.root().join("made").exists(), "{end}");
    }
}
