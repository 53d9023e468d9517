//! Each constraint with what the rules of the house say of an answer to it.
//!
//! Invariant: every constraint is listed, word for word and in the user's order, whatever is found.
//! Absent here: what a model says of it.

use super::{super::Problem, measure::Measured, reading, verdict};

/// A constraint, held against an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The constraint, word for word.
    pub constraint: String,
    /// What was found.
    pub found: Found,
}

/// What rules say of one constraint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// No rule understands it: it is left to the critic.
    Unmeasured,
    /// The answer keeps to it.
    Kept,
    /// The answer does not, and this is how; never empty.
    Broken(Vec<String>),
}

/// What rules say of each constraint of a problem.
pub fn checked(problem: &Problem, answer: &str) -> Vec<Checked> {
    let answer = Measured::new(answer);
    let one = |constraint: &String| {
        let checks = reading::checks(constraint);
        let wrong = checks.iter().filter_map(|check| verdict::judge(check, &answer));
        let wrong: Vec<String> = wrong.map(|wrong| wrong.what).collect();
        let found = match (checks.is_empty(), wrong.is_empty()) {
            (true, _) => Found::Unmeasured,
            (false, true) => Found::Kept,
            (false, false) => Found::Broken(wrong),
        };
        Checked { constraint: constraint.clone(), found }
    };
    problem.constraints.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_constraint_is_kept_broken_or_left_to_the_critic() {
        let constraints = ["at most 3 words", "must mention \"GDPR\"", "be kind"];
        let problem =
            Problem { constraints: constraints.map(str::to_owned).to_vec(), ..Problem::default() };
        let found: Vec<(String, bool, bool)> = checked(&problem, "Two words.")
            .into_iter()
            .map(|one| (one.constraint, one.found == Found::Kept, one.found == Found::Unmeasured))
            .collect();
        let told = |text: &str, kept, unmeasured| (text.to_owned(), kept, unmeasured);
        assert_eq!(
            found,
            [
                told(constraints[0], true, false),
                told(constraints[1], false, false),
                told(constraints[2], false, true)
            ]
        );
    }
}
