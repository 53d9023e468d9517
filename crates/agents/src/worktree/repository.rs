//! What models are told of a repository: its paths at the commit, and as many texts as they can be given.
//!
//! Invariant: it follows from the commit, the task and the budget alone; the user's files are not looked at.
//! Absent here: how a prompt shows it.

use super::{fault::TreeError, protected::shown, root::Root};
use redraft_workflows::pair::{Repository, TextFile};
use std::collections::BTreeMap;

/// How much models are told, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Of all texts together.
    pub texts: usize,
    /// Of one text; longer files are named only.
    pub text: usize,
    /// Of all paths; where there are more, deep folders stand for their files.
    pub paths: usize,
}

impl Budget {
    /// What suits most models and repositories.
    pub const USUAL: Self = Self { texts: 200 << 10, text: 40 << 10, paths: 100 << 10 };
}

/// A file at the commit.
#[derive(Debug, Clone, PartialEq, Eq)]
struct File {
    path: String,
    blob: String,
    /// In bytes; `None` for what is no plain file.
    size: Option<usize>,
}

/// Names that tools write, long and of no use to read.
const WRITTEN_BY_TOOLS: [&str; 6] =
    [".lock", "-lock.json", "-lock.yaml", ".min.js", ".min.css", ".svg"];

/// How many texts are asked for at once.
const AT_ONCE: usize = 256;

/// The repository at this commit.
///
/// # Errors
/// When git fails.
pub async fn told(
    root: &Root,
    commit: &str,
    task: &str,
    budget: Budget,
) -> Result<Repository, TreeError> {
    let commit = root.commit(commit).await?;
    let list = root.git("ls-tree").args(&["-r", "-z", "-l", "--full-tree", &commit]);
    let files = files(&list.fine(b"").await?.stdout);
    let texts = texts(root, order(&files, task, budget), budget.texts).await?;
    let paths: Vec<String> = files.into_iter().map(|file| file.path).collect();
    let folder = root.folder.display().to_string();
    Ok(Repository { folder, commit, paths: folded(&paths, budget.paths), files: texts })
}

fn files(list: &[u8]) -> Vec<File> {
    let lines = list.split(|&byte| byte == 0);
    lines
        .filter_map(|line| {
            let tab = line.iter().position(|&byte| byte == b'\t')?;
            let head = std::str::from_utf8(&line[..tab]).ok()?;
            let mut head = head.split_ascii_whitespace();
            let (mode, _, blob, size) = (head.next()?, head.next()?, head.next()?, head.next()?);
            let size = size.parse().ok().filter(|_| mode.starts_with("100"));
            Some(File { path: shown(&line[tab + 1..]), blob: blob.to_owned(), size })
        })
        .collect()
}

/// The files whose texts are worth showing: those that the task names, what a reader opens first, then the smallest.
fn order<'a>(files: &'a [File], task: &str, budget: Budget) -> Vec<&'a File> {
    let shown = |file: &&File| {
        let fits = file.size.is_some_and(|size| size > 0 && size <= budget.text.min(budget.texts));
        fits && !WRITTEN_BY_TOOLS.iter().any(|end| file.path.ends_with(end))
    };
    let mut ordered: Vec<&File> = files.iter().filter(shown).collect();
    ordered.sort_by_cached_key(|file| (rank(&file.path, task), file.size, file.path.clone()));
    ordered
}

fn rank(path: &str, task: &str) -> u8 {
    let name = path.rsplit('/').next().unwrap_or(path);
    if names(task, path) || (name.contains('.') && names(task, name)) {
        return 0;
    }
    if !path.contains('/') && name.to_lowercase().starts_with("readme") { 1 } else { 2 }
}

/// Whether the task has this name, and not as a part of a longer one.
fn names(task: &str, name: &str) -> bool {
    let belongs = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/');
    task.match_indices(name).any(|(at, _)| {
        let (before, after) = (&task[..at], &task[at + name.len()..]);
        !before.ends_with(belongs) && !after.starts_with(belongs)
    })
}

/// The texts of these files, in this order until the budget is spent, then by path.
async fn texts(
    root: &Root,
    mut files: Vec<&File>,
    mut left: usize,
) -> Result<Vec<TextFile>, TreeError> {
    let mut texts = Vec::new();
    loop {
        files.retain(|file| file.size.is_some_and(|size| size <= left));
        if files.is_empty() {
            break;
        }
        let mut sum = 0;
        let fitting = files.iter().take(AT_ONCE).take_while(|file| {
            sum += file.size.unwrap_or_default();
            sum <= left
        });
        let some: Vec<&File> = files.drain(..fitting.count()).collect();
        let ids: String = some.iter().map(|file| format!("{}\n", file.blob)).collect();
        let said = root.git("cat-file").args(&["--batch"]).fine(ids.as_bytes()).await?;
        for (file, text) in some.iter().zip(blobs(&said.stdout)) {
            let text = std::str::from_utf8(text).ok().filter(|text| !text.contains('\0'));
            if let Some(text) = text {
                left = left.saturating_sub(text.len());
                texts.push(TextFile { path: file.path.clone(), text: text.to_owned() });
            }
        }
    }
    texts.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(texts)
}

/// The contents in what `cat-file --batch` writes: each after a line that ends with its length.
fn blobs(mut said: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let end = said.iter().position(|&byte| byte == b'\n')?;
        let head = std::str::from_utf8(&said[..end]).ok()?;
        let length: usize = head.rsplit(' ').next()?.parse().ok()?;
        let text = said.get(end + 1..end + 1 + length)?;
        said = said.get(end + length + 2..).unwrap_or_default();
        Some(text)
    })
}

/// The paths, or where they are too many, those that are not deep, and for each deep folder how many files it has.
fn folded(paths: &[String], most: usize) -> Vec<String> {
    let length = |paths: &[String]| paths.iter().map(|path| path.len() + 1).sum::<usize>();
    if length(paths) <= most {
        return paths.to_vec();
    }
    let deepest = paths.iter().map(|path| path.matches('/').count()).max().unwrap_or(0);
    let depths = (0..deepest).rev().map(|depth| to_depth(paths, depth));
    let mut folded = depths.into_iter().find(|paths| length(paths) <= most);
    folded.take().unwrap_or_else(|| {
        let mut spent = 0;
        let fits = |path: &String| {
            spent += path.len() + 1;
            spent <= most
        };
        to_depth(paths, 0).into_iter().take_while(fits).collect()
    })
}

fn to_depth(paths: &[String], depth: usize) -> Vec<String> {
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    for path in paths {
        let shown = match path.match_indices('/').nth(depth) {
            Some((at, _)) => &path[..=at],
            None => path,
        };
        *folders.entry(shown.to_owned()).or_default() += 1;
    }
    let line = |(path, files): (String, usize)| match path.ends_with('/') {
        true => format!("{path} ({files} files)"),
        false => path,
    };
    folders.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_paths_are_folded_from_the_deepest() {
        let paths = ["a/b/c/1", "a/b/c/2", "a/x", "top"].map(str::to_owned);
        assert_eq!(folded(&paths, 100), paths);
        assert_eq!(folded(&paths, 23), ["a/b/ (2 files)", "a/x", "top"]);
        assert_eq!(folded(&paths, 18), ["a/ (3 files)", "top"]);
        assert_eq!(folded(&paths, 13), ["a/ (3 files)"]);
    }

    #[test]
    fn a_name_in_the_task_is_a_word_of_its_own() {
        assert!(names("fix src/lib.rs, please", "src/lib.rs"));
        assert!(names("fix `lib.rs`", "lib.rs"));
        assert!(!names("fix mylib.rs", "lib.rs"));
        assert!(!names("fix lib.rs_old", "lib.rs"));
    }
}
