//! Where worktrees stand: made, opened again, removed; and the user's own files, which nobody touches.

use super::ground::*;
use redraft_agents::worktree::{Root, TreeError, Worktree, leftovers, remove_leftovers};
use std::fs;

#[tokio::test]
async fn a_dirty_tree_of_the_users_is_the_same_byte_for_byte() {
    let ground = Ground::new();
    ground.write("README.md", "stashed\n");
    ground.git(&["stash", "-q"]);
    ground.write("README.md", "staged\n");
    ground.git(&["add", "README.md"]);
    ground.write("README.md", "staged and changed\n");
    ground.write("src/lines.txt", "changed\n");
    ground.write("untracked.txt", "x\n");
    ground.write("target/built", "x\n");
    fs::remove_file(ground.root().join("näme.txt")).unwrap();
    let status = || ground.git(&["status", "--porcelain=v2", "--branch", "--ignored"]);
    let before = (ground.print(), status());

    let tree = ground.tree().await;
    assert_eq!(
        read(&tree, "README.md"),
        "# Tools\n\nSmall tools.\n",
        "the commit's, not the user's"
    );
    let taken = applied(tree.take(TWO, "", &rules()).await.unwrap());
    fs::write(tree.place().join("more.txt"), "x\n").unwrap();
    let more = applied(tree.changed(&rules()).await.unwrap());
    tree.reset_to(&taken).await.unwrap();
    let again = ground.tree().await;
    again.reset_to(&more).await.unwrap();
    assert_eq!(status(), before.1);
    again.remove().await.unwrap();
    assert_eq!(status(), before.1);
    assert_same(&ground.print(), &before.0, "the user's");
    assert!(!ground.place().exists());
}

#[tokio::test]
async fn a_state_is_set_with_untracked_files_gone_and_ignored_ones_kept() {
    let ground = Ground::new();
    let tree = ground.tree().await;
    for path in ["target/cache", "a.log", "stray.txt", "stray/b.txt"] {
        write(tree.place(), path, "x\n");
    }
    write(tree.place(), "README.md", "changed\n");
    fs::remove_file(tree.place().join("with space.txt")).unwrap();
    tree.reset_to(TWO).await.unwrap();
    assert!(read(&tree, "src/lines.txt").contains("\n2\n"));
    assert_eq!(read(&tree, "README.md"), "# Tools\n\nSmall tools.\n");
    for (path, there) in [
        ("target/cache", true),
        ("a.log", true),
        ("stray.txt", false),
        ("stray", false),
        ("with space.txt", true),
    ] {
        assert_eq!(tree.place().join(path).exists(), there, "{path}");
    }
}

#[tokio::test]
async fn a_state_that_no_longer_applies_is_told() {
    let ground = Ground::new();
    let tree = ground.tree().await;
    let error = tree.reset_to(&TWO.replace("-two", "-zwei")).await.unwrap_err().to_string();
    assert!(error.contains("does not apply") && error.contains("src/lines.txt"), "{error}");
}

#[tokio::test]
async fn what_stands_in_the_way_is_left_alone() {
    let ground = Ground::new();
    write(&ground.place(), "letter", "mine");
    let error = Worktree::open(&ground.found().await, &ground.place(), "HEAD").await.unwrap_err();
    assert!(matches!(error, TreeError::Foreign { .. }), "{error}");
    assert_eq!(fs::read_to_string(ground.place().join("letter")).unwrap(), "mine");
    fs::remove_dir_all(ground.place()).unwrap();
    let theirs = ground.place().display().to_string();
    ground.git(&["worktree", "add", "-q", "--detach", &theirs]);
    let error = Worktree::open(&ground.found().await, &ground.place(), "HEAD").await.unwrap_err();
    assert!(matches!(error, TreeError::Foreign { .. }), "{error}");
    assert_eq!(
        leftovers(&ground.found().await, ground.home.path()).unwrap(),
        Vec::<std::path::PathBuf>::new()
    );
}

#[tokio::test]
async fn a_worktree_that_was_half_made_or_half_removed_is_made_anew() {
    let ground = Ground::new();
    drop(ground.tree().await);
    let admin = ground.root().join(".git/worktrees/run-1");
    for spoil in [
        |admin: &std::path::Path, _: &std::path::Path| {
            fs::remove_file(admin.join("gitdir")).unwrap();
            fs::remove_file(admin.join("HEAD")).unwrap();
        },
        |_: &std::path::Path, place: &std::path::Path| fs::remove_dir_all(place).unwrap(),
        |admin: &std::path::Path, place: &std::path::Path| {
            fs::write(admin.join("redraft-index.lock"), "").unwrap();
            fs::write(admin.join("index.lock"), "").unwrap();
            fs::write(admin.join("HEAD.lock"), "").unwrap();
            fs::write(admin.join("redraft-index"), "spoilt").unwrap();
            fs::write(place.join("stray.txt"), "x").unwrap();
            fs::write(admin.join("index"), "spoilt").unwrap();
            fs::remove_file(place.join(".git")).unwrap();
        },
        |admin: &std::path::Path, _: &std::path::Path| {
            fs::write(admin.join("HEAD"), "spoilt").unwrap();
        },
    ] {
        spoil(&admin, &ground.place());
        let tree = ground.tree().await;
        assert_eq!(applied(tree.changed(&rules()).await.unwrap()), "");
        assert!(!tree.place().join("stray.txt").exists());
    }
    ground.tree().await.remove().await.unwrap();
    assert!(!ground.root().join(".git/worktrees").exists());
}

#[tokio::test]
async fn leftovers_are_found_by_their_folder_and_removed_when_their_run_is_gone() {
    let ground = Ground::new();
    let root = ground.found().await;
    let folder = ground.place().parent().unwrap().to_owned();
    for name in ["run-1", "run-2"] {
        Worktree::open(&root, &folder.join(name), "HEAD").await.unwrap();
    }
    let theirs = ground.home.path().join("theirs").display().to_string();
    ground.git(&["worktree", "add", "-q", "--detach", &theirs]);
    let folder = folder.canonicalize().unwrap();
    assert_eq!(leftovers(&root, &folder).unwrap(), [folder.join("run-1"), folder.join("run-2")]);
    let is_gone = |place: &std::path::Path| place.ends_with("run-2");
    assert_eq!(remove_leftovers(&root, &folder, is_gone).await.unwrap(), [folder.join("run-2")]);
    assert_eq!(leftovers(&root, &folder).unwrap(), [folder.join("run-1")]);
    assert!(ground.root().join(".git/worktrees/theirs").exists());
    assert!(!folder.join("run-2").exists());
}

#[tokio::test]
async fn a_folder_that_is_no_repository_is_told_with_what_to_do() {
    let ground = Ground::new();
    let told = |folder: std::path::PathBuf| async move {
        let error = Root::find(&folder).await.unwrap_err().to_string();
        assert!(error.contains(&folder.display().to_string()), "{error}");
        error
    };
    let none = ground.home.path().join("none");
    assert!(told(none.clone()).await.contains("no folder"));
    fs::create_dir(&none).unwrap();
    assert!(told(none.clone()).await.contains("git init"));
    assert!(told(ground.root().join(".git")).await.contains("no repository"));
    git(&none, &["init", "-q", "--bare"]);
    assert!(told(none).await.contains("bare"));
    let empty = ground.home.path().join("empty");
    fs::create_dir(&empty).unwrap();
    git(&empty, &["init", "-q"]);
    let error = Root::find(&empty).await.unwrap().commit("HEAD").await.unwrap_err();
    assert!(error.to_string().contains("no commit yet"), "{error}");
    let error = ground.found().await.commit("none").await.unwrap_err();
    assert!(error.to_string().contains("no commit none"), "{error}");
}

#[tokio::test]
async fn subfolders_shallow_clones_and_linked_worktrees_will_do() {
    let ground = Ground::new();
    ground.write("README.md", "second\n");
    ground.commit();
    let found = Root::find(&ground.root().join("src")).await.unwrap();
    assert_eq!(found, ground.found().await);
    let url = format!("file://{}", ground.root().display());
    git(ground.home.path(), &["clone", "-q", "--depth", "1", &url, "shallow"]);
    ground.git(&["worktree", "add", "-q", "-b", "side", "../side", "HEAD~1"]);
    for (name, text) in [("shallow", "second\n"), ("side", "# Tools\n\nSmall tools.\n")] {
        let root = Root::find(&ground.home.path().join(name)).await.unwrap();
        let tree = Worktree::open(&root, &ground.place(), "HEAD").await.unwrap();
        assert_eq!(read(&tree, "README.md"), text, "{name}");
        applied(tree.take(TWO, "", &rules()).await.unwrap());
        tree.remove().await.unwrap();
    }
}

#[tokio::test]
async fn repositories_of_other_formats_will_do() {
    for init in ["--object-format=sha256", "--ref-format=reftable"] {
        let ground = Ground::with(&[init]);
        let before = ground.print();
        let tree = ground.tree().await;
        let taken = applied(tree.take(TWO, "", &rules()).await.unwrap());
        tree.reset_to(&taken).await.unwrap();
        assert_eq!(applied(tree.changed(&rules()).await.unwrap()), taken);
        tree.remove().await.unwrap();
        assert_same(&ground.print(), &before, init);
    }
}

#[tokio::test]
async fn a_submodule_and_a_clone_that_borrows_objects_will_do() {
    let (ground, other) = (Ground::new(), Ground::new());
    let url = ground.root().display().to_string();
    other.git(&["submodule", "--quiet", "add", &url, "sub"]);
    git(ground.home.path(), &["clone", "-q", "--shared", &url, "shared"]);
    let alternates = ground.home.path().join("shared/.git/objects/info/alternates");
    fs::write(alternates, "../../../user/.git/objects\n").unwrap();
    for folder in [other.root().join("sub"), ground.home.path().join("shared")] {
        let root = Root::find(&folder).await.unwrap();
        let before = print(&root.common);
        let tree = Worktree::open(&root, &ground.place(), "HEAD").await.unwrap();
        applied(tree.take(TWO, "", &rules()).await.unwrap());
        assert_eq!(git(&folder, &["status", "--porcelain"]), "");
        tree.remove().await.unwrap();
        assert_same(&print(&root.common), &before, &folder.display().to_string());
    }
}

#[tokio::test]
async fn a_sparse_checkout_is_worked_on_whole() {
    let ground = Ground::new();
    ground.git(&["sparse-checkout", "set", "secret"]);
    assert!(!ground.root().join("src").exists());
    let tree = ground.tree().await;
    applied(tree.take(TWO, "", &rules()).await.unwrap());
    assert!(read(&tree, "src/lines.txt").contains("\n2\n"));
    tree.remove().await.unwrap();
    assert_eq!(ground.git(&["status", "--porcelain"]), "");
}
