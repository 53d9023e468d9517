//! Diffs of models: taken in all the forms in which they come, and told as git has them.

use super::ground::*;
use std::fs;

/// Takes the diff at the commit, and checks that what is told is what git says of the worktree.
async fn take(ground: &Ground, diff: &str) -> String {
    let tree = ground.tree().await;
    let taken = applied(tree.take(diff, "", &rules()).await.unwrap());
    assert_eq!(applied(tree.changed(&rules()).await.unwrap()), taken);
    tree.reset_to(&taken).await.unwrap();
    assert_eq!(applied(tree.changed(&rules()).await.unwrap()), taken);
    taken
}

#[tokio::test]
async fn a_diff_is_taken_and_told_as_git_has_it() {
    let ground = Ground::new();
    let taken = take(&ground, TWO).await;
    assert!(taken.contains("\n-two\n+2\n"), "{taken}");
    assert!(taken.lines().any(|line| line.starts_with("index ") && line.len() > 90), "{taken}");
    fs::write(ground.home.path().join("taken.diff"), &taken).unwrap();
    ground.git(&["apply", "--check", "../taken.diff"]);
}

#[tokio::test]
async fn words_fences_indentation_and_line_ends_around_a_diff_do_not_matter() {
    let ground = Ground::new();
    let plain = take(&ground, TWO).await;
    let indented: String = TWO.lines().map(|line| format!("  {line}\n")).collect();
    for form in [
        format!("Here it is:\n\n```diff\n{TWO}```\nDone."),
        format!("The change:\n\n{indented}\nThat is all."),
        format!("```diff\n{TWO}```\n").replace('\n', "\r\n"),
        TWO.replace("diff --git a/src/lines.txt b/src/lines.txt\n", ""),
        TWO.replace("a/src", "src")
            .replace("b/src", "src")
            .replace("diff --git src/lines.txt src/lines.txt\n", ""),
        TWO.replace("-1,5 +1,5", "-1,9 +1,2"),
        TWO.replace("-1,5 +1,5", "-3,5 +3,5"),
        TWO.trim_end().to_owned(),
    ] {
        assert_eq!(take(&ground, &form).await, plain, "{form:?}");
    }
}

#[tokio::test]
async fn no_line_of_a_diff_is_lost_to_a_wrong_count() {
    let ground = Ground::new();
    let long = "--- a/src/lines.txt\n+++ b/src/lines.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n three\n-four\n+4\n five\n";
    let second = "--- a/README.md\n+++ b/README.md\n@@ -3,9 +3,9 @@\n-Small tools.\n+Tools.\n";
    let taken = take(&ground, &format!("{long}{second}")).await;
    for line in ["+2", "+4", "+Tools."] {
        assert!(taken.lines().any(|taken| taken == line), "{line}: {taken}");
    }
    let tree = ground.tree().await;
    let lost = long.replace(" three", "three");
    let why = refused(tree.take(&lost, "", &rules()).await.unwrap());
    assert!(why.starts_with("line 8 of the diff"), "{why}");
}

#[tokio::test]
async fn a_diff_without_prefixes_never_hits_a_shorter_path() {
    let ground = Ground::new();
    ground.write("lines.txt", "one\ntwo\nthree\nfour\nfive\n");
    ground.commit();
    let whole = "--- src/lines.txt\n+++ src/lines.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
    let taken = take(&ground, whole).await;
    assert!(taken.starts_with("diff --git a/src/lines.txt b/src/lines.txt\n"), "{taken}");
    let new = "--- /dev/null\n+++ src/new.txt\n@@ -0,0 +1 @@\n+a\n";
    assert!(take(&ground, new).await.starts_with("diff --git a/src/new.txt b/src/new.txt\n"));
}

#[tokio::test]
async fn a_new_file_that_exists_is_refused_and_not_made_elsewhere() {
    let ground = Ground::new();
    let tree = ground.tree().await;
    let new = "--- /dev/null\n+++ b/README.md\n@@ -0,0 +1 @@\n+a\n";
    let why = refused(tree.take(new, "", &rules()).await.unwrap());
    assert!(why.contains("README.md: already exists"), "{why}");
    assert!(!tree.place().join("b").exists());
}

#[tokio::test]
async fn files_whose_lines_end_with_returns_are_changed_with_and_without_them() {
    let ground = Ground::new();
    let with =
        "--- a/src/crlf.txt\n+++ b/src/crlf.txt\n@@ -1,3 +1,3 @@\n one\r\n-two\r\n+2\r\n three\r\n";
    let taken = take(&ground, with).await;
    assert!(taken.contains("+2\r\n"), "{taken:?}");
    assert_eq!(take(&ground, &with.replace('\r', "")).await, taken);
    assert_eq!(take(&ground, &with.replace('\r', "").replace('\n', "\r\n")).await, taken);
}

#[tokio::test]
async fn files_are_made_deleted_renamed_and_made_executable() {
    let ground = Ground::new();
    let made = take(&ground, "--- /dev/null\n+++ b/a/b/new.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n").await;
    assert!(made.contains("new file mode 100644\n"), "{made}");
    let gone = take(
        &ground,
        "diff --git a/README.md b/README.md\ndeleted file mode 100644\n--- a/README.md\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-# Tools\n-\n-Small tools.\n",
    )
    .await;
    assert!(gone.contains("deleted file mode 100644\n"), "{gone}");
    let moved = "diff --git a/src/lines.txt b/lines.txt\nsimilarity index 100%\nrename from src/lines.txt\nrename to lines.txt\n";
    let moved = take(&ground, moved).await;
    assert!(moved.contains("--- a/src/lines.txt\n+++ /dev/null\n"), "{moved}");
    assert!(moved.contains("--- /dev/null\n+++ b/lines.txt\n"), "{moved}");
    let mode =
        take(&ground, "diff --git a/README.md b/README.md\nold mode 100644\nnew mode 100755\n")
            .await;
    assert_eq!(mode, "diff --git a/README.md b/README.md\nold mode 100644\nnew mode 100755\n");
}

#[tokio::test]
async fn names_with_blanks_quotes_accents_and_line_ends_are_taken() {
    let ground = Ground::new();
    for name in [
        "a/with space.txt",
        "\"a/\\\"quoted\\\".txt\"",
        "a/näme.txt",
        "\"a/n\\303\\244me.txt\"",
        "\"a/new\\nline.txt\"",
    ] {
        let new = name.replacen("a/", "b/", 1);
        let diff = format!("--- {name}\n+++ {new}\n@@ -1 +1 @@\n-a\n+b\n");
        let taken = take(&ground, &diff).await;
        assert!(taken.contains("\n-a\n+b\n"), "{taken}");
    }
}

#[tokio::test]
async fn a_file_without_a_line_end_at_its_end_stays_so() {
    let ground = Ground::new();
    ground.write("bare.txt", "a");
    ground.commit();
    let diff = "--- a/bare.txt\n+++ b/bare.txt\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n";
    assert_eq!(take(&ground, diff).await.matches("\\ No newline").count(), 2);
}

#[tokio::test]
async fn a_diff_against_the_last_turn_is_taken_where_it_does_not_fit_the_commit() {
    let ground = Ground::new();
    let tree = ground.tree().await;
    let present = applied(tree.take(TWO, "", &rules()).await.unwrap());
    let next = TWO.replace("-two", "-2").replace("+2\n", "+zwei\n");
    let taken = applied(tree.take(&next, &present, &rules()).await.unwrap());
    assert!(taken.contains("\n-two\n+zwei\n"), "{taken}");
    let whole = applied(tree.take(TWO, &present, &rules()).await.unwrap());
    assert_eq!(whole, present, "the commit comes first");
}

#[tokio::test]
async fn what_git_says_of_the_first_try_is_the_refusal_and_no_file_changes() {
    let ground = Ground::new();
    let tree = ground.tree().await;
    let present = applied(tree.take(TWO, "", &rules()).await.unwrap());
    let before = print(tree.place());
    let other = TWO.replace("-two", "-zwei");
    let why = refused(tree.take(&other, &present, &rules()).await.unwrap());
    assert!(why.contains("patch failed: src/lines.txt:1"), "{why}");
    let half = format!("{}{}", TWO.replace("+2", "+II"), other.replace("lines", "none"));
    refused(tree.take(&half, &present, &rules()).await.unwrap());
    let none = refused(tree.take("I would change x.", &present, &rules()).await.unwrap());
    assert!(none.contains("No valid patches"), "{none}");
    assert_same(&print(tree.place()), &before, "refused");
}

#[tokio::test]
async fn the_users_configuration_does_not_change_a_diff() {
    let ground = Ground::new();
    let plain = take(&ground, TWO).await;
    for setting in [
        ["diff.noprefix", "true"],
        ["diff.mnemonicPrefix", "true"],
        ["diff.context", "0"],
        ["diff.algorithm", "histogram"],
        ["diff.external", "false"],
        ["color.ui", "always"],
        ["core.pager", "false"],
        ["core.quotePath", "false"],
        ["core.hooksPath", "/no/such"],
        ["core.fsmonitor", "/no/such"],
        ["diff.renames", "copies"],
        ["apply.whitespace", "error"],
        ["core.autocrlf", "true"],
        ["core.trustctime", "false"],
        ["core.fileMode", "false"],
    ] {
        ground.git(&["config", setting[0], setting[1]]);
    }
    assert_eq!(take(&ground, TWO).await, plain);
}
