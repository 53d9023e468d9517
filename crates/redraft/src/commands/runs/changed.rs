//! How much a turn changes and whose change is handed over, in a few words.
//!
//! Absent here: the change.

use crate::say;
use redraft_workflows::pair::{Record, patch::FileChange};

/// `2 files, 3 lines in, 1 line out`.
pub(crate) fn sum(files: &[FileChange<'_>]) -> String {
    if files.is_empty() {
        return "no change".to_owned();
    }
    let counts = files.iter().map(FileChange::counts);
    let (inserted, removed) = counts.fold((0, 0), |sum, file| (sum.0 + file.0, sum.1 + file.1));
    let lines = |n| say::count(n, "line");
    format!("{}, {} in, {} out", say::count(files.len(), "file"), lines(inserted), lines(removed))
}

/// Which turn's change is handed over, in words.
pub(crate) fn result(own: &Record) -> String {
    match own.handed_over {
        None => "nothing was built".to_owned(),
        Some(turn) if Some(turn) == own.best_turn => {
            format!("the change of turn {turn}, the best so far")
        }
        Some(turn) => format!("the change of turn {turn}, the newest"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use redraft_workflows::pair::patch::read;

    #[test]
    fn all_files_are_counted() {
        let diff = "--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-1\n-2\n+3\n";
        let both = format!("{diff}{}", diff.replace('x', "y"));
        assert_eq!(sum(&read(&both)), "2 files, 2 lines in, 4 lines out");
        assert_eq!(sum(&read("")), "no change");
    }
}
