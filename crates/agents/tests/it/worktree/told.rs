//! What models are told of a repository.

use super::ground::*;
use redraft_agents::worktree::{Budget, told};
use std::fs;

#[tokio::test]
async fn the_commit_is_told_and_not_what_the_user_has_changed() {
    let ground = Ground::new();
    ground.write("README.md", "changed\n");
    ground.write("untracked.txt", "x\n");
    let root = ground.found().await;
    let told = told(&root, "HEAD", "any", Budget::USUAL).await.unwrap();
    assert_eq!(told.commit, root.commit("HEAD").await.unwrap());
    assert_eq!(told.paths.len(), 9);
    assert!(told.paths.contains(&"näme.txt".to_owned()));
    assert!(told.paths.contains(&"new\u{240a}line.txt".to_owned()));
    let readme = told.files.iter().find(|file| file.path == "README.md").unwrap();
    assert_eq!(readme.text, "# Tools\n\nSmall tools.\n");
    assert!(told.files.is_sorted_by(|a, b| a.path < b.path));
}

#[tokio::test]
async fn what_the_task_names_comes_first_and_then_the_readme_and_then_the_smallest() {
    let ground = Ground::new();
    for (path, bytes) in [("large.txt", 500), ("middle.txt", 300), ("small.txt", 100)] {
        ground.write(path, &"x".repeat(bytes));
    }
    ground.write("Cargo.lock", "x");
    fs::write(ground.root().join("image.bin"), b"\0\x01").unwrap();
    fs::write(ground.root().join("latin.txt"), b"\xff").unwrap();
    ground.commit();
    let root = ground.found().await;
    let paths = |task: &'static str, texts: usize| {
        let root = root.clone();
        async move {
            let told = told(&root, "HEAD", task, Budget { texts, ..Budget::USUAL }).await.unwrap();
            told.files.into_iter().map(|file| file.path).collect::<Vec<_>>()
        }
    };
    assert_eq!(paths("shorten large.txt", 500).await, ["large.txt"]);
    assert_eq!(paths("any", 22).await, ["README.md"]);
    let all = paths("any", 100_000).await;
    assert_eq!(all.len(), 9 + 3, "{all:?}");
    let some = paths("any", 300).await;
    assert!(
        some.contains(&"small.txt".to_owned()) && !some.contains(&"middle.txt".to_owned()),
        "{some:?}"
    );
    assert_eq!(paths("any", 300).await, some);
}

#[tokio::test]
async fn long_files_are_named_only() {
    let ground = Ground::new();
    ground.write("long.txt", &"x".repeat(50 << 10));
    ground.commit();
    let told = told(&ground.found().await, "HEAD", "long.txt", Budget::USUAL).await.unwrap();
    assert!(told.paths.contains(&"long.txt".to_owned()));
    assert!(told.files.iter().all(|file| file.path != "long.txt"));
}
