//! A model's diff: cleaned, looked at, tried in the ways in which models are wrong, and taken as git has it.
//!
//! Invariant: a diff that does not apply as a whole, or touches what may not be touched, changes no file.
//! Absent here: where in a reply the diff stands.

use super::{
    fault::TreeError,
    headers,
    hunks::recounted,
    protected::{Protected, Refusal},
    state::{LONGEST, refused},
    tree::Worktree,
};
use redraft_workflows::pair::{Outcome, diff::clean};

/// How many characters of git's words are quoted.
const QUOTED: usize = 1_000;

/// How many steps are taken away from paths: the `a/` and `b/` before them, or none. Taking a step away from a whole
/// path could hit another file, or make one, so that comes last, and for files that are there.
fn ways(diff: &str) -> &'static [&'static str] {
    match (headers::are_prefixed(diff), headers::makes_files(diff)) {
        (true, _) => &["-p1"],
        (false, true) => &["-p0"],
        (false, false) => &["-p0", "-p1"],
    }
}

impl Worktree {
    /// Takes a diff against the commit, or else against the present state, which is the commit with the change
    /// `present`; the worktree then holds it. One that is refused leaves the worktree as it is.
    ///
    /// # Errors
    /// When git fails in another way than by refusing the diff.
    pub async fn take(
        &self,
        diff: &str,
        present: &str,
        rules: &Protected,
    ) -> Result<Outcome, TreeError> {
        if diff.len() > LONGEST {
            return Ok(refused(&Refusal::LongDiff { bytes: diff.len() }));
        }
        let diff = clean(diff);
        let counted = headers::check(&diff, rules).and_then(|()| recounted(&diff));
        let diff = match counted {
            Ok(diff) => diff,
            Err(refusal) => return Ok(refused(&refusal)),
        };
        self.admin().settle()?;
        let tree = match self.tried(&diff, present).await? {
            Ok(tree) => tree,
            Err(words) => return Ok(Outcome::Refused(words)),
        };
        let outcome = self.judged(&tree, rules).await?;
        if let Outcome::Applied(_) = outcome {
            self.set_to(&tree).await?;
        }
        Ok(outcome)
    }

    /// The tree that the first way gives that works, or git's words of the very first.
    async fn tried(&self, diff: &str, present: &str) -> Result<Result<String, String>, TreeError> {
        let with_returns = headers::with_returns(diff);
        let texts = [Some(diff), with_returns.as_deref()];
        let mut bases = vec![self.commit().to_owned()];
        if !present.is_empty() {
            bases.push(self.recorded(present).await?);
        }
        let mut first = None;
        for base in &bases {
            for text in texts.into_iter().flatten() {
                for way in ways(diff) {
                    match self.tree_with(base, text, &[way]).await? {
                        Ok(tree) => return Ok(Ok(tree)),
                        Err(words) => first.get_or_insert(words),
                    };
                }
            }
        }
        let words = first.unwrap_or_default();
        Ok(Err(words.chars().take(QUOTED).collect()))
    }
}
