//! Programs that do to the worktree what they may not: refused by the name of the path, and set back.

use super::ground::*;
use std::{fs, process::Command};

/// Runs a script in the worktree, as a program does that edits it, and gives why that is refused. The worktree and
/// the user's files stand as before when it was set back.
async fn refuse(ground: &Ground, script: &str, path: &str) {
    let tree = ground.tree().await;
    let taken = applied(tree.take(TWO, "", &rules()).await.unwrap());
    let before = (print(tree.place()), ground.users());
    shell(&ground.place(), script);
    let why = refused(tree.changed(&rules()).await.unwrap());
    assert!(why.contains(path), "{path}: {why}");
    tree.reset_to(&taken).await.unwrap();
    assert_same(&print(tree.place()), &before.0, script);
    assert_same(&ground.users(), &before.1, script);
    assert_eq!(applied(tree.changed(&rules()).await.unwrap()), taken);
    tree.remove().await.unwrap();
}

fn shell(folder: &std::path::Path, script: &str) {
    let done = Command::new("sh").args(["-c", script]).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{script}: {}", String::from_utf8_lossy(&done.stderr));
}

#[tokio::test]
async fn protected_files_are_refused_however_they_are_changed() {
    let ground = Ground::new();
    for script in [
        "echo x >> secret/key.txt",
        "rm secret/key.txt",
        "echo x > secret/new.txt",
        "chmod +x secret/key.txt",
        "rm -r secret && ln -s src secret",
    ] {
        refuse(&ground, script, "secret").await;
    }
}

#[tokio::test]
async fn links_to_the_outside_are_refused() {
    let ground = Ground::new();
    refuse(&ground, "ln -s /etc/passwd door", "door").await;
    refuse(&ground, "rm README.md; ln -s ../../../user/README.md README.md", "README.md").await;
}

#[tokio::test]
async fn repositories_inside_the_worktree_are_refused_and_go() {
    let ground = Ground::new();
    refuse(&ground, "git init -q inner && echo x > inner/y", "inner").await;
    refuse(&ground, "git init -q src && echo x >> src/lines.txt", "src/.git").await;
    let committed = "git init -q inner && cd inner && git -c user.name=a -c user.email=b commit -q --allow-empty -m x";
    refuse(&ground, committed, "inner").await;
    refuse(&ground, "echo '[submodule \"x\"]' > .gitmodules", ".gitmodules").await;
}

#[tokio::test]
async fn a_change_that_keeps_size_and_time_is_seen() {
    let ground = Ground::new();
    let tree = ground.tree().await;
    let quiet = "touch -r README.md ../time && printf '# Fools\\n\\nSmall tools.\\n' > README.md && touch -r ../time README.md && rm ../time";
    shell(tree.place(), quiet);
    assert!(applied(tree.changed(&rules()).await.unwrap()).contains("+# Fools"));
    tree.reset_to("").await.unwrap();
    assert_eq!(read(&tree, "README.md"), "# Tools\n\nSmall tools.\n");
}

#[tokio::test]
async fn pipes_are_refused_and_go() {
    let ground = Ground::new();
    refuse(&ground, "mkfifo pipe", "pipe").await;
    refuse(&ground, "mkfifo src/pipe", "src/pipe").await;
    refuse(&ground, "rm README.md && mkfifo README.md", "README.md").await;
}

#[tokio::test]
async fn a_folder_that_became_a_link_to_the_outside_is_refused_and_the_outside_left_alone() {
    let ground = Ground::new();
    let precious = ground.home.path().join("precious");
    write(&precious, "lines.txt", "mine");
    let before = print(&precious);
    refuse(&ground, "rm -r src && ln -s ../../../precious src", "src").await;
    assert_same(&print(&precious), &before, "precious");
}

#[tokio::test]
async fn names_that_pass_for_gits_folder_are_refused() {
    let ground = Ground::new();
    refuse(&ground, "mkdir .GIT && echo x > .GIT/config", ".GIT/config").await;
    refuse(&ground, "mkdir 'git~1' && echo x > 'git~1/config'", "git~1/config").await;
}

#[tokio::test]
async fn binary_large_and_many_files_are_refused() {
    let ground = Ground::new();
    refuse(&ground, "printf 'a\\0b' > x.bin", "x.bin").await;
    refuse(&ground, "printf '\\351t\\351\\n' > latin.txt", "latin.txt").await;
    refuse(&ground, "head -c 9000000 /dev/zero | tr '\\0' x > large.txt", "large.txt").await;
    refuse(&ground, "seq 1 20001 | xargs touch", "20001 files").await;
}

#[tokio::test]
async fn files_that_are_too_large_together_are_refused_by_the_largest() {
    let ground = Ground::new();
    let new = "for n in 1 2 3; do yes | head -c 3000000 > $n.txt; done; echo x >> 2.txt";
    refuse(&ground, new, "2.txt: 9000002 bytes").await;
}

#[tokio::test]
async fn large_files_of_which_all_is_changed_are_refused_by_a_path_and_small_edits_are_not() {
    let ground = Ground::new();
    for n in 0..6 {
        ground.write(&format!("{n}.txt"), &"some line or other\n".repeat(350_000));
    }
    ground.commit();
    let spoil = "for n in 0 1; do sed -i s/some/any/ $n.txt; done; echo x >> 1.txt";
    refuse(&ground, spoil, "1.txt: the change has").await;
    // More than is read of git.
    let spoil = "for n in 0 1 2 3 4 5; do sed -i s/some/any/ $n.txt; done; echo x >> 4.txt";
    refuse(&ground, spoil, "4.txt: the change has 67108864 bytes").await;
    let tree = ground.tree().await;
    shell(tree.place(), "for n in 0 1; do echo x >> $n.txt; done");
    assert!(applied(tree.changed(&rules()).await.unwrap()).contains("+++ b/1.txt"));
}

#[tokio::test]
async fn folders_that_may_not_be_written_to_do_not_stop_the_way_back() {
    let ground = Ground::new();
    let script = "mkdir -p deep/er && echo x > deep/er/x && chmod 500 deep/er deep && echo x > secret/y && chmod 500 secret src";
    let tree = ground.tree().await;
    shell(tree.place(), script);
    refused(tree.changed(&rules()).await.unwrap());
    tree.reset_to("").await.unwrap();
    assert!(!tree.place().join("deep").exists());
    assert_eq!(applied(tree.changed(&rules()).await.unwrap()), "");
    shell(tree.place(), "mkdir target && echo x > target/x && chmod 500 target");
    tree.remove().await.unwrap();
    assert!(!ground.place().exists());
}

#[tokio::test]
async fn a_link_to_the_repository_that_was_bent_is_put_right() {
    let ground = Ground::new();
    let tree = ground.tree().await;
    let elsewhere = ground.home.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    git(&elsewhere, &["init", "-q"]);
    git(&elsewhere, &["config", "core.fsmonitor", "touch ../ran"]);
    let before = print(&elsewhere);
    let bend = format!(
        "rm .git && echo 'gitdir: {}/.git' > .git && echo x >> README.md",
        elsewhere.display()
    );
    shell(tree.place(), &bend);
    let changed = applied(tree.changed(&rules()).await.unwrap());
    assert!(changed.starts_with("diff --git a/README.md b/README.md\n"), "{changed}");
    assert_eq!(git(tree.place(), &["rev-parse", "HEAD"]).trim(), tree.commit());
    assert_same(&print(&elsewhere), &before, "elsewhere");
    shell(tree.place(), "rm .git && mkdir .git && git init -q .");
    assert_eq!(applied(tree.changed(&rules()).await.unwrap()), changed);
}

#[tokio::test]
async fn a_place_that_became_a_link_is_made_anew_and_what_it_led_to_is_left_alone() {
    let ground = Ground::new();
    let tree = ground.tree().await;
    let precious = ground.home.path().join("precious");
    fs::create_dir(&precious).unwrap();
    fs::write(precious.join("letter"), "mine").unwrap();
    let before = print(&precious);
    shell(
        ground.home.path(),
        "rm -rf kept/worktrees/run-1 && ln -s ../../precious kept/worktrees/run-1",
    );
    tree.reset_to(TWO).await.unwrap();
    assert_same(&print(&precious), &before, "precious");
    assert!(read(&tree, "src/lines.txt").contains("\n2\n"));
}

#[tokio::test]
async fn what_a_program_commits_stages_or_hides_counts_all_the_same() {
    let ground = Ground::new();
    let tree = ground.tree().await;
    let user = "-c user.name=a -c user.email=b";
    let script = format!(
        "echo 1 > one.txt && git add one.txt && git {user} commit -q -m one && echo 2 > two.txt && git add two.txt \
         && echo 3 > three.txt && echo x >> README.md && git update-index --assume-unchanged README.md \
         && git checkout -q -b mine 2> /dev/null && git branch -q -D mine 2> /dev/null; true"
    );
    shell(tree.place(), &script);
    let changed = applied(tree.changed(&rules()).await.unwrap());
    for name in ["one.txt", "two.txt", "three.txt", "README.md"] {
        assert!(changed.contains(&format!("+++ b/{name}\n")), "{name}: {changed}");
    }
    tree.reset_to("").await.unwrap();
    assert_eq!(git(tree.place(), &["rev-parse", "HEAD"]).trim(), tree.commit());
    assert_eq!(git(tree.place(), &["status", "--porcelain"]), "");
}

#[tokio::test]
async fn submodules_of_the_repository_may_be_there_and_not_be_changed() {
    let ground = Ground::new();
    let other = Ground::new();
    let url = other.root().display().to_string();
    ground.git(&["submodule", "--quiet", "add", &url, "sub"]);
    ground.commit();
    refuse(&ground, "rmdir sub", "sub").await;
    refuse(&ground, "rmdir sub && echo x > sub", "sub").await;
    let tree = ground.tree().await;
    applied(tree.take(TWO, "", &rules()).await.unwrap());
    tree.remove().await.unwrap();
    assert_eq!(ground.git(&["status", "--porcelain"]), "");
}
