//! Long work, away from the threads that answer.
//!
//! Invariant: while a large run is worked on, every thread of the runtime is there for others.
//! Absent here: what the work is.

use redraft_workflows::solve::Request;
use serde_json::Value;
use std::{future::Future, pin::pin};
use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::Semaphore,
};

/// What is asked in more bytes is worked on aside: below it a step takes a few milliseconds at most.
const LARGE: usize = 32 << 10;

/// Is there much to work on in this request?
pub(super) fn is_large(request: &Request) -> bool {
    let constraints: usize = request.constraints.iter().map(String::len).sum();
    let context = request.context.as_ref().map_or(0, weight);
    request.prompt.len() + constraints + context > LARGE
}

/// Is there much to work on in a run with these settings?
pub(super) fn are_large(settings: &Value) -> bool {
    weight(settings) > LARGE
}

/// About so many bytes.
fn weight(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
        Value::String(text) => text.len() + 1,
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| name.len() + weight(field)).sum()
        }
    }
}

/// Does a piece of work here, after somebody else has taken this thread's place.
pub(super) fn aside<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        // There is nobody to take it.
        Ok(_) | Err(_) => work(),
    }
}

/// The reads of the journal that may stand aside at once. Each takes a thread, which costs memory; a thousand readers of
/// small runs need none.
static READS: Semaphore = Semaphore::const_new(4);

/// The same of a read of the journal, as long as few others stand aside: most are short, and some may be long.
pub(super) fn read_aside<T>(read: impl FnOnce() -> T) -> T {
    match READS.try_acquire() {
        Ok(_place) => aside(read),
        Err(_) => read(),
    }
}

/// The same for each piece of a longer one; small ones stay where they are, since changing places costs more.
pub(super) async fn aside_if<F: Future>(is_large: bool, work: F) -> F::Output {
    if !is_large {
        return work.await;
    }
    let mut work = pin!(work);
    std::future::poll_fn(|context| aside(|| work.as_mut().poll(context))).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::sync::mpsc;

    #[test]
    fn one_thread_answers_others_while_it_is_blocked_by_work_aside() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build();
        let (tell, told) = mpsc::channel();
        runtime.unwrap().block_on(async {
            let works = tokio::spawn(aside_if(true, async move { told.recv() }));
            tokio::spawn(async move { tell.send("done") }).await.unwrap().unwrap();
            assert_eq!(works.await.unwrap(), Ok("done"));
        });
    }

    #[test]
    fn where_there_is_one_thread_alone_work_is_done_there() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        assert_eq!(runtime.block_on(aside_if(true, async { aside(|| 1) })), 1);
        assert_eq!(aside(|| 2), 2);
    }

    #[test]
    fn long_texts_and_long_lists_are_large() {
        let long = "x".repeat(LARGE);
        for large in [json!(long), json!([[long]]), json!({"a": long}), json!(vec![0; LARGE + 1])] {
            assert!(are_large(&large));
        }
        assert!(!are_large(&json!({"a": ["b", null, 1, true]})));
    }
}
