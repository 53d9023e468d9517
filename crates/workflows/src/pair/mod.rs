//! Pair: an architect and a builder change a repository in bounded turns.
//!
//! Propose, then in each turn: implement, check, critique, verify. What the diff is judged by are the checks first and
//! the architect second; the best turn so far is what a run hands over that ends without agreement.
//!
//! Invariant: text of the task, of a diff or of a check's output never ends a run; only the architect's own verdict on a
//! turn whose checks pass does.
//! Absent here: git, processes, and who answers.

mod asked;
mod best;
pub mod by_hand;
pub mod diff;
mod findings;
mod forms;
mod kept;
mod message;
pub mod patch;
mod prompts;
mod record;
mod reported;
mod shape;
mod verdict;
mod work;
mod workflow;

pub use asked::DIFF;
pub use best::{Turn, best, handed_over, turns};
pub use findings::of_run as findings_of_run;
pub use forms::read;
pub use kept::{Repository, Settings, TextFile, checked, messages, settings, settings_of};
pub use message::{BudgetTrace, Kind, Message, Point, Side, VALIDATION_FAILED};
pub(crate) use prompts::reads;
pub use prompts::{PROMPTS, templates};
pub use record::{Followed, Record, Standing, Stood, TurnRecord, record};
pub use reported::{Reported, reported};
pub use shape::{
    ARCHITECT, BUILDER, Bounds, CHECKS, DEFAULT_TURNS, MAX_TURNS, NAME, NO_IMPROVEMENT, VERIFIED,
    shape,
};
pub use verdict::Judgement;
pub use work::{Built, CheckResult, Checked, Outcome};
pub use workflow::{Pair, diff_of};
