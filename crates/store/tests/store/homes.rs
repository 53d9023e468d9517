//! Finding and making homes.

use redraft_store::{Home, HomeError};
use std::fs;
use std::path::Path;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn the_nearest_home_upward_is_found_also_from_a_folder_that_is_not_there_yet() {
    let outer = folder();
    let inner = outer.path().join("a/b");
    fs::create_dir_all(&inner).unwrap();
    assert_eq!(Home::find(&inner).unwrap(), None);
    let high = Home::create(outer.path()).unwrap();
    assert_eq!(Home::find(&inner.join("not/there")).unwrap().unwrap(), high);
    let low = Home::create(&inner).unwrap();
    assert_eq!(Home::find(&inner.join("c")).unwrap().unwrap(), low);
    assert_eq!(Home::find(&inner.join("c/../..")).unwrap().unwrap(), high);
}

#[test]
fn a_home_is_private_and_unseen_by_git_and_made_once() {
    let outer = folder();
    let home = Home::create(outer.path()).unwrap();
    assert_eq!(fs::read_to_string(home.dir().join(".gitignore")).unwrap(), "*\n");
    fs::write(home.dir().join(".gitignore"), "mine").unwrap();
    assert_eq!(Home::create(outer.path()).unwrap(), home);
    assert_eq!(fs::read_to_string(home.dir().join(".gitignore")).unwrap(), "mine");
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(fs::metadata(home.dir()).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn a_linked_home_and_a_file_in_its_place_are_refused() {
    let (outer, elsewhere) = (folder(), folder());
    let real = Home::create(elsewhere.path()).unwrap();
    std::os::unix::fs::symlink(real.dir(), outer.path().join(".redraft")).unwrap();
    assert!(matches!(Home::find(outer.path()).unwrap_err(), HomeError::Link { .. }));
    assert!(matches!(Home::create(outer.path()).unwrap_err(), HomeError::Link { .. }));
    fs::remove_file(outer.path().join(".redraft")).unwrap();
    fs::write(outer.path().join(".redraft"), "").unwrap();
    assert!(matches!(Home::find(outer.path()).unwrap_err(), HomeError::NotAFolder { .. }));
    assert!(matches!(Home::create(outer.path()).unwrap_err(), HomeError::NotAFolder { .. }));
    let message = Home::create(Path::new("/no/such/folder")).unwrap_err().to_string();
    assert!(message.contains("/no/such/folder/.redraft"), "{message}");
}

#[test]
fn a_key_is_the_path_from_the_home_on() {
    let (outer, elsewhere) = (folder(), folder());
    let home = Home::create(outer.path()).unwrap();
    let key = |path: &Path| home.workspace_key(path).unwrap();
    assert_eq!(key(outer.path()), ".");
    assert_eq!(key(&outer.path().join("episodes/one/")), "episodes/one");
    assert_eq!(key(&outer.path().join("episodes/../two/./x")), "two/x");
    let error = home.workspace_key(elsewhere.path()).unwrap_err();
    assert!(matches!(error, HomeError::Outside { .. }), "{error}");
    std::os::unix::fs::symlink(elsewhere.path(), outer.path().join("link")).unwrap();
    let error = home.workspace_key(&outer.path().join("link/x")).unwrap_err();
    assert!(matches!(error, HomeError::Outside { .. }), "{error}");
}
