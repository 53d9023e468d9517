//! A finished diff put into the user's own files: as a whole, or not at all.
//!
//! Git says whether it fits the files as they are, edited or not. A command that was killed after it had done this
//! finds the diff there when it runs again, so a diff that fits backwards is looked at before it is applied forwards.
//!
//! Invariant: the user's index, `HEAD`, branches and objects are never written. A diff that does not fit as a whole
//! leaves the files as they were, and one that is there already is not applied a second time. What git cannot have
//! written, such as a file that an editor saved meanwhile, is never overwritten or removed here.
//! Absent here: whether a diff is good enough to be handed over; undoing it later.

use super::{
    changes,
    fault::TreeError,
    git::Git,
    kept::Kept,
    protected::{Refusal, check_form, shown},
    root::Root,
    scratch::Scratch,
    state::below,
    tree::blocking,
};
use std::{fs, io};

/// What became of a diff that was to be applied to the user's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Applied {
    /// The files have it now.
    Now,
    /// The files had it before.
    AlreadyThere,
    /// It changes nothing.
    Nothing,
    /// It does not fit, and no file is changed by it: git's own words, with the paths.
    Refused(String),
}

/// One file of a diff.
struct Touched {
    path: Vec<u8>,
    /// Whether lines change, and not only the mode.
    has_lines: bool,
}

/// Applies a diff to the user's files, though not to the index: one that [`Worktree`](super::Worktree) gave out, which
/// names paths from the top folder and renames nothing.
///
/// Once git writes, dropping this does not stop it, and Ctrl-C does not reach it. Wait for it all the same: it ends with
/// the runtime, and what it has taken away by then is lost.
///
/// # Errors
/// When git cannot be run, or files can be neither read nor set back.
pub async fn apply(root: &Root, diff: &str) -> Result<Applied, TreeError> {
    if diff.is_empty() {
        return Ok(Applied::Nothing);
    }
    let files = match fits(root, diff, &["--numstat", "-z"]).await? {
        Ok(counts) => touched(&counts),
        Err(words) => return Ok(Applied::Refused(words)),
    };
    if let Err(refusal) = amiss(root, &files) {
        return Ok(Applied::Refused(refusal.to_string()));
    }
    let forwards = fits(root, diff, &["--check"]).await?;
    let backwards = fits(root, diff, &["--check", "--reverse"]).await?;
    let stands = match (forwards, backwards) {
        (Ok(_), Err(_)) => Stands::Before,
        (Err(_), Ok(_)) => Stands::After,
        (Err(words), Err(_)) => return Ok(Applied::Refused(words)),
        (Ok(_), Ok(_)) => stands(root, diff, &files).await?,
    };
    match stands {
        Stands::Before => write(root, diff, files).await,
        Stands::After => Ok(Applied::AlreadyThere),
        Stands::Unclear => Ok(Applied::Refused(unclear(&files))),
    }
}

/// Applying with nothing of the user's configuration that would change what is applied.
fn applying(git: Git, options: &[&str]) -> Git {
    git.args(&["--whitespace=nowarn", "-p1"]).args(options)
}

/// What git says of the diff with these options, well or not.
async fn fits(
    root: &Root,
    diff: &str,
    options: &[&str],
) -> Result<Result<Vec<u8>, String>, TreeError> {
    let asked = applying(root.git("apply"), options).arg("-");
    let said = asked.run(diff.as_bytes()).await?;
    Ok(if said.is_fine() { Ok(said.stdout) } else { Err(said.words) })
}

/// The files in what `git apply --numstat -z` writes.
fn touched(counts: &[u8]) -> Vec<Touched> {
    let lines = changes::paths(counts).map(|line| line.splitn(3, |&byte| byte == b'\t'));
    lines
        .filter_map(|mut line| {
            let (added, gone, path) = (line.next()?, line.next()?, line.next()?);
            Some(Touched { path: path.to_vec(), has_lines: (added, gone) != (b"0", b"0") })
        })
        .collect()
}

/// What git would take amiss in words of its own, or not at all: paths that are no file's of the repository, and folders
/// that are a repository of their own by now, such as a submodule.
fn amiss(root: &Root, files: &[Touched]) -> Result<(), Refusal> {
    for path in files.iter().map(|file| &*file.path) {
        check_form(path)?;
        let mut folders = changes::folders_of(path);
        let is_own =
            |folder: &&[u8]| fs::symlink_metadata(below(&root.folder, folder).join(".git")).is_ok();
        if let Some(folder) = folders.find(is_own) {
            return Err(Refusal::Embedded { path: shown(folder) });
        }
    }
    Ok(())
}

/// Whether the files are those from before the diff or after it.
enum Stands {
    Before,
    After,
    Unclear,
}

/// How files stand that a diff fits forwards and backwards. Where lines repeat, one that is there can fit once more at
/// the next place like it. Then only files that are in full what the diff was made from, or what it makes, say which.
async fn stands(root: &Root, diff: &str, files: &[Touched]) -> Result<Stands, TreeError> {
    // A mode can be set twice.
    let unclear =
        if files.iter().any(|file| file.has_lines) { Stands::Unclear } else { Stands::Before };
    let scratch = Scratch::new(root).await?;
    let are_files = async || -> Result<bool, TreeError> {
        Ok(scratch.git("update-index").args(&["--refresh"]).run(b"").await?.is_fine())
    };
    // The user's index, which this reads for files whose mode alone changes, is not written.
    let old = applying(root.git("apply"), &[]).arg("--build-fake-ancestor");
    let old = old.arg(scratch.path("index")).arg("-").run(diff.as_bytes()).await?;
    if !old.is_fine() {
        return Ok(unclear);
    }
    if are_files().await? {
        return Ok(Stands::Before);
    }
    let new = applying(scratch.git_apart("apply")?, &["--cached"]).arg("-");
    let is_made = new.run(diff.as_bytes()).await?.is_fine();
    Ok(if is_made && are_files().await? { Stands::After } else { unclear })
}

fn unclear(files: &[Touched]) -> String {
    let paths: Vec<_> = files.iter().map(|file| shown(&file.path)).collect();
    format!(
        "{}: the change fits forwards and backwards, so it cannot be told whether it is there already",
        paths.join(", ")
    )
}

async fn write(root: &Root, diff: &str, files: Vec<Touched>) -> Result<Applied, TreeError> {
    let scratch = Scratch::new(root).await?;
    // From a file: of a pipe that ends too soon, git would apply what it has.
    let (file, text, top) = (scratch.path("diff"), diff.to_owned(), root.folder.clone());
    let git = applying(root.git("apply"), &[]).arg(&file).in_own_group();
    let copy = scratch.path("copy");
    let again = applying(Git::of(&root.common, &root.common, &copy, "apply"), &[]);
    let again = again.arg(&file).in_own_group();
    let kept = blocking(move || {
        fs::write(&file, text).map_err(TreeError::file("write", &file))?;
        let paths: Vec<_> = files.into_iter().map(|file| file.path).collect();
        Kept::of(&top, &paths)
    })
    .await?;
    // In a task of its own, which goes on when nobody waits for it any more.
    let written = tokio::spawn(written(git, kept, again, scratch)).await.map_err(io::Error::other);
    written.map_err(TreeError::file("write", &root.folder))?
}

/// How git ends when it has found that a diff does not fit, before it writes anything.
const DOES_NOT_FIT: i32 = 1;

/// Lets git write; where it breaks off, what it did is undone. The diff stands in the folder, which is held till then.
async fn written(
    mut git: Git,
    kept: Kept,
    mut again: Git,
    folder: Scratch,
) -> Result<Applied, TreeError> {
    let mut broken = match git.once(b"").await {
        Ok(said) if said.is_fine() => return Ok(Applied::Now),
        Ok(said) if said.ended_with(DOES_NOT_FIT) => return Ok(Applied::Refused(said.words)),
        Ok(said) => Ok(said.words),
        Err(error) => Err(TreeError::from(error)),
    };
    let copy = folder.path("copy");
    let (kept, copy) = blocking(move || kept.copy_to(&copy).map(|()| (kept, copy))).await?;
    // What git wrote is known from its writing the same to a copy; how far it gets there matters not.
    let _ = again.once(b"").await;
    let left = blocking(move || kept.put_back(&copy)).await?;
    if let (Ok(words), false) = (&mut broken, left.is_empty()) {
        let paths: Vec<_> = left.iter().map(|path| shown(path)).collect();
        words.push_str(&format!("\n{}: changed meanwhile, and left as it is", paths.join(", ")));
    }
    broken.map(Applied::Refused)
}
