//! Workspace files: whole or not at all, and never outside.

use proptest::prelude::*;
use redraft_store::{FileError, PathError, WorkspaceFiles};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use tempfile::TempDir;

fn workspace() -> (TempDir, WorkspaceFiles) {
    let folder = tempfile::tempdir().unwrap();
    let files = WorkspaceFiles::create(&folder.path().join("inside")).unwrap();
    (folder, files)
}

/// All paths under a folder with what stands there.
fn tree(folder: &Path) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            all.extend(tree(&path));
        }
        let text = if path.is_file() { fs::read_to_string(&path).unwrap() } else { String::new() };
        all.push((path.to_string_lossy().into_owned(), text));
    }
    all.sort();
    all
}

#[test]
fn a_file_is_written_once_and_left_alone_when_it_is_the_same() {
    let (_folder, files) = workspace();
    assert!(files.write("copy/a/b.txt", b"one").unwrap());
    let inode = || fs::metadata(files.root().join("copy/a/b.txt")).unwrap().ino();
    let before = inode();
    assert!(!files.write("copy/a/b.txt", b"one").unwrap());
    assert_eq!(inode(), before);
    assert!(files.write("copy/a/b.txt", b"two").unwrap());
    assert_eq!(files.read("copy/a/b.txt", 10).unwrap().unwrap(), b"two");
    assert_eq!(files.read("copy/a/c.txt", 10).unwrap(), None);
    assert_eq!(files.read("copy/x/y/z", 10).unwrap(), None);
    files.sync().unwrap();
}

#[test]
fn new_files_can_be_read_by_others_and_old_ones_keep_their_mode() {
    let (_folder, files) = workspace();
    let mode =
        |name: &str| fs::metadata(files.root().join(name)).unwrap().permissions().mode() & 0o777;
    files.write("new", b"1").unwrap();
    fs::write(files.root().join("plain"), "").unwrap();
    assert_eq!(mode("new"), mode("plain") & 0o644);
    fs::write(files.root().join("tool"), "").unwrap();
    fs::set_permissions(files.root().join("tool"), fs::Permissions::from_mode(0o755)).unwrap();
    files.write("tool", b"#!").unwrap();
    assert_eq!(mode("tool"), 0o755);
}

#[test]
fn paths_that_are_not_plain_names_are_refused() {
    let (folder, files) = workspace();
    let before = tree(folder.path());
    for path in [
        "",
        "/",
        "/etc/passwd",
        "..",
        "../x",
        "a/../b",
        "a/..",
        ".",
        "./a",
        "a/./b",
        "a//b",
        "a/",
        "a\0b",
        "a\nb",
        "a\u{7f}b",
        "a\u{85}b",
        "a\\b",
        "..\\x",
        ".redraft/x",
        "a/.Redraft/x",
        ".redraft-tmp-1",
        "x/.redraft-tmp-1",
    ] {
        assert!(files.resolve(path).is_err(), "{path:?}");
        assert!(files.write(path, b"x").is_err(), "{path:?}");
        assert!(files.rename_damaged(path).is_err(), "{path:?}");
        assert!(files.remove(path).is_err(), "{path:?}");
    }
    for path in ["a", "a.b", "..a", "a..", "…", "a b/ç", ".git/config", ".hidden"] {
        assert!(files.resolve(path).is_ok(), "{path:?}");
    }
    assert_eq!(tree(folder.path()), before, "nothing was written");
}

#[test]
fn links_that_lead_out_are_refused_and_links_inside_are_not() {
    let (folder, files) = workspace();
    let outside = folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret"), "secret").unwrap();
    fs::create_dir(files.root().join("real")).unwrap();
    let link = |target: &Path, name: &str| symlink(target, files.root().join(name)).unwrap();
    link(&outside, "out");
    link(&outside.join("secret"), "file");
    link(Path::new("../outside"), "relative");
    link(&folder.path().join("nowhere"), "dangling");
    link(Path::new("loop"), "loop");
    link(Path::new("real"), "in");
    let before = tree(&outside);
    for path in [
        "out",
        "out/new",
        "out/a/b/c",
        "file",
        "relative/secret",
        "dangling",
        "dangling/x",
        "loop",
        "loop/x",
    ] {
        assert!(files.write(path, b"x").is_err(), "{path}");
        assert!(files.read(path, 100).is_err(), "{path}");
        assert!(files.remove(path).is_err(), "{path}");
    }
    assert!(matches!(files.resolve("out/x").unwrap_err(), PathError::Outside { .. }));
    assert!(matches!(files.resolve("dangling").unwrap_err(), PathError::Dangling { .. }));
    assert_eq!(tree(&outside), before);
    files.write("in/x", b"fine").unwrap();
    assert_eq!(fs::read(files.root().join("real/x")).unwrap(), b"fine");
}

#[test]
fn nothing_is_written_over_folders_links_or_through_files() {
    let (_folder, files) = workspace();
    files.write("folder/file", b"x").unwrap();
    symlink("folder/file", files.root().join("link")).unwrap();
    assert!(matches!(files.write("folder", b"y").unwrap_err(), FileError::NotAFile { .. }));
    assert!(matches!(files.write("link", b"y").unwrap_err(), FileError::NotAFile { .. }));
    assert_eq!(files.read("link", 9).unwrap().unwrap(), b"x", "reading through it is fine");
    let through = files.write("folder/file/deeper", b"y").unwrap_err();
    assert!(matches!(through, FileError::Path(PathError::NotAFolder { .. })), "{through}");
    assert!(matches!(files.read("folder", 9).unwrap_err(), FileError::NotAFile { .. }));
}

#[test]
fn many_files_are_written_all_or_none() {
    let (folder, files) = workspace();
    files.write("a", b"old").unwrap();
    fs::create_dir(files.root().join("folder")).unwrap();
    let before = tree(folder.path());
    for bad in ["../out", "folder", "a/b", "a"] {
        let batch = [("a", "new"), ("new/b", "new"), (bad, "new")];
        assert!(files.write_all(&batch).is_err(), "{bad}");
        assert_eq!(tree(folder.path()), before, "{bad}");
    }
    let batch = [("a", "new"), ("new/b", "new"), ("new/c", "new")];
    assert_eq!(files.write_all(&batch).unwrap(), 3);
    assert_eq!(files.write_all(&batch).unwrap(), 0);
    files.sync().unwrap();
}

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let (_folder, files) = workspace();
    files.write("a", b"12345").unwrap();
    let error = files.read("a", 4).unwrap_err();
    assert!(matches!(error, FileError::TooLarge { size: 5, most: 4, .. }), "{error}");
    assert!(files.read("a", 5).is_ok());
}

#[test]
fn damaged_files_are_put_aside_under_the_first_free_number() {
    let (folder, files) = workspace();
    for n in [1, 2] {
        files.write("copy/a.json", format!("bad {n}").as_bytes()).unwrap();
        assert_eq!(
            files.rename_damaged("copy/a.json").unwrap(),
            format!("copy/a.json.damaged-{n}")
        );
    }
    assert!(files.remove("copy/a.json.damaged-1").unwrap());
    assert!(!files.remove("copy/a.json.damaged-1").unwrap());
    symlink(folder.path(), files.root().join("copy/a.json")).unwrap();
    assert_eq!(files.rename_damaged("copy/a.json").unwrap(), "copy/a.json.damaged-1");
    assert!(files.rename_damaged("copy/a.json").is_err(), "there is nothing");
    files.sync().unwrap();
}

#[test]
fn what_a_killed_writer_left_is_removed_and_what_is_in_use_is_not() {
    let (_folder, files) = workspace();
    fs::create_dir(files.root().join("copy")).unwrap();
    let left = files.root().join("copy/.redraft-tmp-left");
    let used = files.root().join("copy/.redraft-tmp-used");
    fs::write(&left, "half").unwrap();
    let holder = fs::File::create(&used).unwrap();
    holder.lock().unwrap();
    files.write("copy/a", b"x").unwrap();
    assert!(!left.exists() && used.exists());
    drop(holder);
    assert_eq!(files.clean_temporaries("copy").unwrap(), 1);
    assert_eq!(files.clean_temporaries("").unwrap(), 0);
    assert_eq!(files.clean_temporaries("not/there").unwrap(), 0);
}

#[test]
fn a_failed_sync_is_never_made_good_by_asking_again() {
    let (_folder, files) = workspace();
    files.write("copy/a", b"x").unwrap();
    // A link that leads in a circle cannot be opened, whoever asks.
    fs::remove_file(files.root().join("copy/a")).unwrap();
    symlink("a", files.root().join("copy/a")).unwrap();
    assert!(matches!(files.sync().unwrap_err(), FileError::Io { .. }));
    fs::remove_file(files.root().join("copy/a")).unwrap();
    assert!(matches!(files.sync().unwrap_err(), FileError::Unsynced { .. }));
}

#[test]
fn several_writers_of_one_folder_do_not_take_each_others_files() {
    let (folder, _files) = workspace();
    let root = folder.path().join("inside");
    std::thread::scope(|scope| {
        for n in 0..6 {
            let root = &root;
            scope.spawn(move || {
                for round in 0..30 {
                    let files = WorkspaceFiles::open(root).unwrap();
                    files.write(&format!("f{n}"), format!("{round}").as_bytes()).unwrap();
                    files.write("state", format!("{n} {round}").as_bytes()).unwrap();
                }
            });
        }
    });
    assert_eq!(fs::read_dir(&root).unwrap().count(), 7, "no temporary file is left");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn no_path_ever_leads_out(path in path()) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("inside");
        fs::create_dir_all(folder.path().join("outside/a")).unwrap();
        fs::create_dir_all(root.join("a/b")).unwrap();
        symlink("../outside", root.join("out")).unwrap();
        symlink("../../outside/a", root.join("a/out")).unwrap();
        symlink("b", root.join("a/in")).unwrap();
        symlink("../out", root.join("a/twice")).unwrap();
        let files = WorkspaceFiles::open(&root).unwrap();
        let before = tree(&folder.path().join("outside"));
        let written = files.write(&path, b"x").is_ok();
        prop_assert_eq!(tree(&folder.path().join("outside")), before);
        prop_assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        if written {
            let place = fs::canonicalize(files.resolve(&path).unwrap()).unwrap();
            prop_assert!(place.starts_with(files.root()));
        }
    }
}

fn path() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => prop_oneof!["a", "b", "out", "in", "twice", "x"].prop_map(String::from),
        2 => Just("..".to_owned()),
        1 => prop_oneof![Just(".".to_owned()), Just(String::new()), Just("\\".to_owned())],
        1 => any::<String>(),
    ];
    proptest::collection::vec(part, 0..6).prop_map(|parts| parts.join("/"))
}
