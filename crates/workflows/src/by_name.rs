//! What can be asked of a run of any workflow here, by the name in its shape.

use crate::{findings::Findings, pair, review};
use redraft_loop::Run;

/// The findings of a run; none where its workflow has none, or is not known here.
pub fn findings_of(run: &Run) -> Findings {
    match run.shape().workflow.as_str() {
        review::shape::NAME => review::findings::of_run(run),
        pair::NAME => pair::findings_of_run(run),
        _ => Findings::default(),
    }
}
