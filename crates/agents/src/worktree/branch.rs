//! A finished diff as one commit on a new branch, which nobody has to look at before he wants to.
//!
//! The commit is the user's own: written with his name, by git, in an index that stands for no files. It is not signed
//! whatever `commit.gpgSign` says, since a signature may ask for a passphrase and says that a person looked; whoever
//! wants one signs with `git commit --amend -S`.
//!
//! Invariant: the user's files, index and `HEAD` are never written, no branch is ever moved, and no hook is run.
//! Absent here: pushing it; switching to it.

use super::{fault::TreeError, root::Root, scratch::Scratch};

/// What became of a diff that was to be a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Branched {
    /// The branch is new; this is its commit.
    Now(String),
    /// It was there before, with the same files on the same parent; this is its commit.
    AlreadyThere(String),
    /// The diff changes nothing, so there is no commit and no branch.
    Nothing,
}

/// What git needs to know of the author and of the committer.
const WHO: [&str; 4] =
    ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"];

/// A branch that is there.
struct There {
    name: String,
    commit: String,
    tree: String,
    parents: String,
}

/// Whether [`branch`] can make a branch of this name, as far as this can be told before there is a diff.
///
/// # Errors
/// When git takes the name for none, a branch is in its way, or git does not know who the user is.
pub async fn check_branch(root: &Root, name: &str) -> Result<(), TreeError> {
    check_name(root, name).await?;
    if let Some(there) = in_the_way(root, name).await?.first() {
        return Err(taken(root, name, &there.name));
    }
    check_unborn(root, name).await?;
    check_who(root).await
}

/// Makes a branch of this name with one commit: the diff on top of `commit`, with this message.
///
/// # Errors
/// When the diff does not apply to the commit, and all that [`check_branch`] finds; a branch of this name that has the
/// same files on the same parent is no error.
pub async fn branch(
    root: &Root,
    commit: &str,
    diff: &str,
    name: &str,
    message: &str,
) -> Result<Branched, TreeError> {
    check_name(root, name).await?;
    let parent = root.commit(commit).await?;
    let tree = tree(root, &parent, diff).await?;
    if tree == tree_of(root, &parent).await? {
        return Ok(Branched::Nothing);
    }
    if let Some(there) = in_the_way(root, name).await?.into_iter().next() {
        let is_same = there.name == name && there.tree == tree && there.parents == parent;
        return match is_same {
            true => Ok(Branched::AlreadyThere(there.commit)),
            false => Err(taken(root, name, &there.name)),
        };
    }
    check_unborn(root, name).await?;
    check_who(root).await?;
    Ok(Branched::Now(committed(root, &parent, &tree, name, message).await?))
}

async fn committed(
    root: &Root,
    parent: &str,
    tree: &str,
    name: &str,
    message: &str,
) -> Result<String, TreeError> {
    let made = root.git("commit-tree").args(&["--no-gpg-sign", "-p", parent, "-F", "-", tree]);
    let made = WHO.iter().fold(made, |git, name| git.with_ours(name));
    let made = made.fine(message.as_bytes()).await?.line();
    // The old value is zero: whoever was quicker keeps the name.
    let zero = "0".repeat(made.len());
    let named = root.git("update-ref").args(&["-m", "redraft: a change handed over", "--no-deref"]);
    named.args(&[&full(name), &made, &zero]).fine(b"").await?;
    Ok(made)
}

async fn tree(root: &Root, parent: &str, diff: &str) -> Result<String, TreeError> {
    let tree = Scratch::new(root).await?.tree_with(parent, diff).await?;
    tree.map_err(|words| TreeError::Recorded {
        place: root.folder.clone(),
        commit: parent.to_owned(),
        words,
    })
}

async fn tree_of(root: &Root, commit: &str) -> Result<String, TreeError> {
    let asked = root.git("rev-parse").args(&["--verify", "--end-of-options"]);
    Ok(asked.arg(format!("{commit}^{{tree}}")).fine(b"").await?.line())
}

fn full(name: &str) -> String {
    format!("refs/heads/{name}")
}

/// Git's own rule. It would read `@{-1}` as the branch before this one, so what it says must be the name itself.
async fn check_name(root: &Root, name: &str) -> Result<(), TreeError> {
    let is_word = !name.starts_with('-') && !name.contains('\0');
    let asked = root.git("check-ref-format").args(&["--branch", name]).run(b"");
    if is_word {
        let said = asked.await?;
        if said.is_fine() && said.line() == name {
            return Ok(());
        }
    }
    Err(TreeError::BranchName { name: name.to_owned() })
}

/// The branch of this name, or those that git cannot have beside it: `a` and `a/b` exclude each other.
async fn in_the_way(root: &Root, name: &str) -> Result<Vec<There>, TreeError> {
    let above = name.match_indices('/').map(|(at, _)| &name[..at]);
    let names: Vec<String> = above.chain([name]).map(full).collect();
    let asked = root.git("for-each-ref");
    let asked = asked.arg("--format=%(refname) %(objectname) %(tree) %(parent)");
    let said = names.iter().fold(asked, super::git::Git::arg).fine(b"").await?;
    let lines = String::from_utf8_lossy(&said.stdout).into_owned();
    let is_in_the_way =
        |there: &There| names.contains(&full(&there.name)) || is_below(&there.name, name);
    Ok(lines.lines().filter_map(there).filter(is_in_the_way).collect())
}

fn is_below(name: &str, above: &str) -> bool {
    name.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
}

fn there(line: &str) -> Option<There> {
    let mut words = line.splitn(4, ' ').map(str::to_owned);
    let (name, commit, tree) = (words.next()?, words.next()?, words.next()?);
    let name = name.strip_prefix("refs/heads/")?.to_owned();
    Some(There { name, commit, tree, parents: words.next()? })
}

fn taken(root: &Root, name: &str, by: &str) -> TreeError {
    TreeError::BranchTaken { path: root.folder.clone(), name: name.to_owned(), by: by.to_owned() }
}

/// A worktree may stand on a branch that has no commit yet; a first one would be its `HEAD` from then on.
async fn check_unborn(root: &Root, name: &str) -> Result<(), TreeError> {
    let list = root.git("worktree").args(&["list", "--porcelain"]).fine(b"").await?;
    let line = format!("branch {}", full(name));
    let stands = String::from_utf8_lossy(&list.stdout).lines().any(|found| found == line);
    if stands { Err(taken(root, name, name)) } else { Ok(()) }
}

/// Git would make a name up from the machine's.
async fn check_who(root: &Root) -> Result<(), TreeError> {
    for who in ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"] {
        let asked = root.git("var").arg(who);
        let said = WHO.iter().fold(asked, |git, name| git.with_ours(name)).run(b"").await?;
        if !said.is_fine() {
            return Err(TreeError::NoIdentity { path: root.folder.clone() });
        }
    }
    Ok(())
}
