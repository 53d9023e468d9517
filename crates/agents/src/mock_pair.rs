//! Architect and builder without a model: the same words for the same task, to try the pair without network or key.
//!
//! The builder writes a checklist, unticked at first; once it is criticised it ticks it. The architect looks at the
//! items of the diff, and at nothing else in it.
//!
//! Invariant: no text of the task changes who says what, nor how the run ends.
//! Absent here: repositories. The diff is against an empty one.

use futures::FutureExt;
use redraft_engine::{Agent, Answer, AttemptError, BoxFuture, Call, NoAnswer};
use redraft_loop::Failure;
use redraft_workflows::pair::{Judgement, Kind, Message, Point};
use serde::Deserialize;
use std::fmt::Write;

/// Plays both sides of a pair.
#[derive(Debug, Clone, Copy, Default)]
pub struct MockPair;

#[derive(Deserialize)]
struct Asked {
    step: String,
    turn: u32,
    task: String,
}

/// What a change has to be checked for.
const ITEMS: [&str; 3] =
    ["It does what the task says", "It changes nothing else", "It can be tried by hand"];

impl MockPair {
    fn message(call: &Call) -> Result<Message, String> {
        let asked: Asked = serde_json::from_str(&call.prompt.request)
            .map_err(|error| format!("the mock cannot read the prompt: {error}"))?;
        let ticked = call.prompt.part("diff").is_some_and(is_ticked);
        let say = |kind, content: &str| Message::new(kind, asked.turn, content);
        Ok(match asked.step.as_str() {
            "propose" => say(Kind::Propose, "Write the change with an acceptance checklist."),
            "implement" => Message {
                diff: Some(diff(&asked.task, call.prompt.part("critique").is_some())),
                ..say(Kind::Implement, "The change with its checklist.")
            },
            "critique" => criticised(say, ticked),
            "verify" if ticked => Message {
                verdict: Some(Judgement::Verified),
                ..say(Kind::Verify, "Verified: meets scope & checklist.")
            },
            "verify" => Message {
                verdict: Some(Judgement::Rejected),
                ..say(Kind::Verify, "Rejected: the acceptance checklist is missing.")
            },
            step => return Err(format!("the mock has no words for the step {step}")),
        })
    }
}

fn criticised(say: impl Fn(Kind, &str) -> Message, ticked: bool) -> Message {
    let point = Point {
        severity: redraft_loop::Severity::Error,
        message: "the acceptance checklist is missing: tick each item that holds".to_owned(),
        file: Some("CHANGE.md".to_owned()),
    };
    match ticked {
        true => {
            Message { issues: Some(Vec::new()), ..say(Kind::Critique, "Nothing is left to say.") }
        }
        false => Message {
            issues: Some(vec![point]),
            ..say(Kind::Critique, "The acceptance checklist is missing.")
        },
    }
}

/// A new file with the task as its title and a checklist below it.
fn diff(task: &str, ticked: bool) -> String {
    let title = task.split_whitespace().collect::<Vec<_>>().join(" ");
    let mark = if ticked { 'x' } else { ' ' };
    let mut diff = "diff --git a/CHANGE.md b/CHANGE.md\nnew file mode 100644\n--- /dev/null\n+++ b/CHANGE.md\n".to_owned();
    // Writing to a string cannot fail.
    let _ = writeln!(diff, "@@ -0,0 +1,{} @@\n+# {title}\n+", ITEMS.len() + 2);
    for item in ITEMS {
        let _ = writeln!(diff, "+- [{mark}] {item}");
    }
    diff
}

/// Whether all items of a diff's checklist are ticked. The title is no item, whatever it says.
fn is_ticked(diff: &str) -> bool {
    let items: Vec<&str> = diff.lines().filter_map(|line| line.strip_prefix("+- [")).collect();
    !items.is_empty() && items.iter().all(|item| item.starts_with("x]"))
}

impl Agent for MockPair {
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        let message = Self::message(call).and_then(|message| {
            serde_json::to_string(&message).map_err(|error| format!("the mock's message: {error}"))
        });
        let failed = |why| NoAnswer::from(AttemptError::new(Failure::Permanent, why));
        std::future::ready(message.map(Answer::text).map_err(failed)).boxed()
    }

    fn costs_nothing(&self) -> bool {
        true
    }
}
