//! A real gateway in between: LiteLLM serves three protocols to the built binary and asks the provider of these tests.
//!
//! The test command installs it for deep runs and names it in `REDRAFT_LITELLM`; without that, nothing is played.
//! Its mocked replies are not used: a mocked 429 or 500 is answered with 200 over Gemini's protocol, and mocked usage
//! is a constant. Failures are the upstream's, which reach every protocol.
//! Absent here: `redraft doctor`, since it has no list of models for Gemini, and what a wrong key gets, since it looks
//! keys up in a database that it is not given.

mod episode;
mod proxy;
mod ways;

use crate::provider::{Does, Provider, honest};
use episode::Known;
use proxy::Proxy;
use std::time::{Duration, Instant};
use ways::Way;

/// The seconds that the upstream asks to wait, more than a second try waits by itself.
const WAIT: u64 = 3;

/// One function for all, since the gateway takes ten seconds and more to start.
#[test]
fn every_protocol_of_a_real_gateway_is_spoken_whole_and_streamed_through_limits_and_faults() {
    let Ok(program) = std::env::var("REDRAFT_LITELLM") else {
        eprintln!(
            "SKIPPED: REDRAFT_LITELLM names no LiteLLM; `cargo xtask test --deep` installs it"
        );
        return;
    };
    let known = Known::new();
    let writes = known.clone();
    let provider = Provider::new(move |seen| match (seen.model(), seen.nth) {
        (episode::WRITER, _) => Does::Says(writes.written(seen)),
        (model, 0) if model.starts_with("writer") && model.ends_with("-429") => Does::Fails(
            429,
            vec![("retry-after", WAIT.to_string()), ("content-type", "application/json".into())],
            r#"{"error": {"message": "slow down", "type": "rate_limit"}}"#.into(),
        ),
        (model, 0) if model.starts_with("writer") && model.ends_with("-500") => Does::Fails(
            500,
            vec![("content-type", "application/json".into())],
            r#"{"error": {"message": "broken", "type": "server_error"}}"#.into(),
        ),
        _ => Does::Says(honest(seen)),
    });
    let began = Instant::now();
    let proxy = Proxy::start(&program, &provider);
    let ready = began.elapsed();
    let ways = Way::all();
    // Side by side, since most of the time is waits before another try.
    std::thread::scope(|scope| {
        for some in ways.chunks(ways.len() / 4) {
            scope.spawn(|| some.iter().for_each(|way| way.play(&proxy, &provider)));
        }
    });
    let played = provider.asked();
    known.review(&proxy, &provider);
    report(ready, ways.len(), played, &provider, began);
}

fn report(ready: Duration, ways: usize, played: usize, provider: &Provider, began: Instant) {
    let whole = provider.asked() - played;
    eprintln!(
        "LiteLLM: ready in {ready:.1?}; {ways} runs with {played} requests upstream; all assets \
         of an episode with {whole}; {:.1?} in all",
        began.elapsed()
    );
}
