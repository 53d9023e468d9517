//! Diffs that would touch what they may not: each is refused by the name of the path, and nothing is changed.

use super::ground::*;
use std::{fs, os::unix::fs::symlink};

async fn refuse(ground: &Ground, diff: &str, path: &str) {
    let tree = ground.tree().await;
    let (files, users) = (print(tree.place()), ground.users());
    let names = || -> Vec<_> {
        print(ground.home.path()).into_keys().filter(|path| !path.starts_with("user")).collect()
    };
    let before = names();
    let why = refused(tree.take(diff, "", &rules()).await.unwrap());
    assert!(why.contains(path), "{path}: {why}");
    assert_same(&print(tree.place()), &files, path);
    assert_same(&ground.users(), &users, path);
    assert_eq!(names(), before, "{path}");
}

fn new(path: &str) -> String {
    format!(
        "--- /dev/null
+++ {path}
@@ -0,0 +1 @@
+x
"
    )
}

fn link(path: &str, target: &str) -> String {
    format!(
        "diff --git a/{path} b/{path}\nnew file mode 120000\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+{target}\n\\ No newline at end of file\n"
    )
}

#[tokio::test]
async fn paths_outside_the_worktree_are_refused() {
    let ground = Ground::new();
    for path in ["b/../outside", "../outside", "/etc/passwd", "b/src/../../outside"] {
        refuse(&ground, &new(path), path).await;
    }
}

#[tokio::test]
async fn gits_own_folder_is_refused_in_every_spelling() {
    let ground = Ground::new();
    for path in [".git/hooks/pre-commit", "src/.git/config", ".GIT/config", ".git./x", "git~1/x"] {
        refuse(&ground, &new(&format!("b/{path}")), path).await;
    }
    // An empty file has no lines that name it.
    let empty =
        "diff --git a/.git/hooks/x b/.git/hooks/x\nnew file mode 100755\nindex 0000000..e69de29\n";
    refuse(&ground, empty, ".git/hooks/x").await;
}

#[tokio::test]
async fn writing_through_a_link_is_refused() {
    let ground = Ground::new();
    symlink("../..", ground.root().join("way")).unwrap();
    ground.commit();
    refuse(&ground, &new("b/way/outside"), "way/outside").await;
    let made = format!("{}{}", link("door", "src"), new("b/door/x"));
    refuse(&ground, &made, "door").await;
}

#[tokio::test]
async fn links_to_the_outside_and_into_gits_folder_are_refused() {
    let ground = Ground::new();
    for target in ["/etc/passwd", "../outside", "src/../../x", ".git/config"] {
        refuse(&ground, &link("door", target), "door").await;
    }
    let tree = ground.tree().await;
    applied(tree.take(&link("door", "src/lines.txt"), "", &rules()).await.unwrap());
}

#[tokio::test]
async fn submodules_are_refused() {
    let ground = Ground::new();
    let id = "1234567890123456789012345678901234567890";
    let module = format!(
        "diff --git a/sub b/sub\nnew file mode 160000\nindex 0000000..1234567\n--- /dev/null\n+++ b/sub\n@@ -0,0 +1 @@\n+Subproject commit {id}\n"
    );
    refuse(&ground, &module, "sub").await;
    refuse(&ground, &new("b/.gitmodules"), ".gitmodules").await;
}

#[tokio::test]
async fn binary_patches_are_refused() {
    let ground = Ground::new();
    let binary = "diff --git a/x.bin b/x.bin\nnew file mode 100644\nindex 0000000..1234567\nGIT binary patch\nliteral 3\nKcmZQzWMT#Y01f~L\n\nliteral 0\nHcmV?d00001\n\n";
    refuse(&ground, binary, "x.bin").await;
    refuse(
        &ground,
        "diff --git a/x.bin b/x.bin\nBinary files a/x.bin and b/x.bin differ\n",
        "x.bin",
    )
    .await;
}

#[tokio::test]
async fn odd_modes_are_refused() {
    let ground = Ground::new();
    let odd = link("x", "y").replace("120000", "104755");
    refuse(&ground, &odd, "104755").await;
}

#[tokio::test]
async fn listed_files_are_refused_as_either_end_of_a_rename_or_copy() {
    let ground = Ground::new();
    refuse(&ground, &new("b/secret/other.txt"), "secret/other.txt").await;
    let change = "--- a/secret/key.txt\n+++ b/secret/key.txt\n@@ -1 +1 @@\n-a\n+b\n";
    refuse(&ground, change, "secret/key.txt").await;
    // No header names these but the first, in which blanks are ambiguous.
    let mode = "diff --git a/secret/key.txt b/secret/key.txt\nold mode 100644\nnew mode 100755\n";
    refuse(&ground, mode, "secret/key.txt").await;
    let empty = "diff --git a/secret/x b/secret/x\nnew file mode 100644\nindex 0000000..e69de29\n";
    refuse(&ground, empty, "secret/x").await;
    for (how, from, to) in [
        ("rename", "README.md", "secret/key.txt"),
        ("rename", "secret/key.txt", "open.txt"),
        ("copy", "secret/key.txt", "open.txt"),
        ("rename", "README.md", ".git/config"),
    ] {
        let diff = format!(
            "diff --git a/{from} b/{to}\nsimilarity index 100%\n{how} from {from}\n{how} to {to}\n"
        );
        let named = if from == "README.md" { to } else { from };
        refuse(&ground, &diff, named).await;
    }
}

#[tokio::test]
async fn fifty_megabytes_are_refused_at_once() {
    let ground = Ground::new();
    let tree = ground.tree().await;
    let flood = format!("{}{}", new("b/x"), "+x\n".repeat(17 << 20));
    // With no repository left, git could not even be asked.
    fs::remove_dir_all(ground.root().join(".git")).unwrap();
    let why = refused(tree.take(&flood, "", &rules()).await.unwrap());
    assert!(why.contains(&flood.len().to_string()), "{why}");
}

#[tokio::test]
async fn a_text_that_is_not_utf8_in_the_commit_is_named_when_it_changes() {
    let ground = Ground::new();
    fs::write(ground.root().join("latin.txt"), b"\xe9t\xe9\nx\n").unwrap();
    ground.commit();
    let diff = "--- a/latin.txt\n+++ b/latin.txt\n@@ -2 +2 @@\n-x\n+y\n";
    let tree = ground.tree().await;
    let why = refused(tree.take(diff, "", &rules()).await.unwrap());
    assert!(why.contains("latin.txt"), "{why}");
}
