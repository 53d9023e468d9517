//! The gated workflow: readers that nobody deceives, and sessions that keep to their table.

mod approving;
mod asking;
mod attacks;
mod bundle;
mod disputed;
mod forgery;
mod golden;
mod meta;
mod play;
mod properties;
mod quoted;
mod setting;
mod stories;
mod table;

use redraft_workflows::gated::review_meta::{self, MetaError, ReviewMeta, Token};

/// A block as the contract writes it.
fn block(verdict: &str, total: u32, critical: u32, missing: u32) -> String {
    format!(
        "@@@REVIEW_META\nverdict: {verdict}\nissues_total: {total}\nissues_critical: {critical}\n\
         missing_inputs: {missing}\n@@@\n"
    )
}

/// The block with a line more before its end.
fn with_line(block: &str, line: &str) -> String {
    block.replace("\n@@@\n", &format!("\n{line}\n@@@\n"))
}

fn token(shown: &[&str]) -> Token {
    Token::of("session", 1, shown)
}

fn signed(block: &str, shown: &[&str]) -> String {
    with_line(block, &format!("review_token: {}", token(shown).as_str()))
}

/// The review that is read from a response about these texts.
fn read(response: &str, shown: &[&str]) -> Result<ReviewMeta, MetaError> {
    review_meta::read(response, shown, &token(shown)).map(|(meta, _)| meta)
}
