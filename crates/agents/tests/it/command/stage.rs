//! A program is a shell script; its processes are told by a number of their own on their command lines.

use redraft_agents::command::{CommandAgent, Program, WorkingFolder};
use redraft_engine::{Agent, Answer, AttemptError, Call, NoAnswer};
use redraft_loop::{CallId, RunId};
use redraft_workflows::{Part, Prompt};
use std::{
    fs,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};
use tokio::sync::Semaphore;

/// The deadline of programs that are to miss it.
pub(crate) const SHORT: Duration = Duration::from_millis(300); // real time: processes take theirs

/// How long the end may take after a deadline.
pub(crate) const END: Duration = Duration::from_secs(2);

/// A script, and a number that stands on the command line of whatever it starts.
pub(crate) struct Play {
    pub(crate) program: Program,
    mark: String,
}

/// A play of this script. `MARK` in it is the mark, and `NAP` a long sleep that carries it.
pub(crate) fn play(script: &str) -> Play {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let mark = format!("61.{:05}{number:04}", std::process::id() % 100_000);
    let script = script.replace("NAP", &format!("sleep {mark}")).replace("MARK", &mark);
    let program = Program {
        deadline: Duration::from_secs(20),
        ..Program::plain("sh", &["-c", &script, &format!("play-{mark}")])
    };
    Play { program, mark }
}

impl Play {
    pub(crate) fn with(self, change: impl FnOnce(&mut Program)) -> Self {
        let Self { mut program, mark } = self;
        change(&mut program);
        Self { program, mark }
    }

    /// The same with the short deadline.
    pub(crate) fn hurried(self) -> Self {
        self.with(|program| program.deadline = SHORT)
    }

    pub(crate) fn agent(&self) -> CommandAgent {
        CommandAgent::new(self.program.clone())
    }

    pub(crate) async fn answer(&self) -> Result<Answer, AttemptError> {
        self.answer_to(&call("")).await
    }

    pub(crate) async fn answer_to(&self, call: &Call) -> Result<Answer, AttemptError> {
        self.agent().answer(call).await.map_err(|error| match error {
            NoAnswer::Failed(error) => error,
            NoAnswer::Waits(what) => panic!("a program waits for nobody, and not for {what}"),
        })
    }

    /// The failed attempt, which took no longer than the deadline and the end may take, and left nobody alive.
    pub(crate) async fn fails(&self) -> AttemptError {
        // Each of them keeps a processor busy; more at once would be measuring one another.
        static PROCESSORS: Semaphore = Semaphore::const_new(2);
        let _one = PROCESSORS.acquire().await.unwrap();
        let begun = Instant::now();
        let error = self.answer().await.unwrap_err();
        let took = begun.elapsed();
        assert!(took <= self.program.deadline + END, "{took:?}: {error}");
        assert_eq!(self.living(), Vec::<String>::new(), "{error}");
        error
    }

    /// Whatever is alive of it, as command lines.
    pub(crate) fn living(&self) -> Vec<String> {
        let lines = all_processes().into_iter().map(|(_, line)| line);
        lines.filter(|line| line.contains(&self.mark)).collect()
    }
}

/// Numbers and command lines of all processes that are alive.
fn all_processes() -> Vec<(u32, String)> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    ids.filter_map(|id| {
        // The dead have no command line.
        let line = fs::read(format!("/proc/{id}/cmdline")).ok()?;
        Some((id, String::from_utf8_lossy(&line).replace('\0', " ")))
    })
    .collect()
}

/// Waits until this holds, for two seconds at most.
pub(crate) async fn soon(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < END, "still not so after two seconds: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await; // real time: processes end when they end
    }
}

/// A call whose only text is this.
pub(crate) fn call(text: &str) -> Call {
    Call {
        run: RunId::new("run"),
        call: CallId(1),
        subject: "title_seo".into(),
        round: 1,
        step: "review".into(),
        role: "reviewer".into(),
        attempt: 1,
        ordinal: 0,
        prompt: Prompt {
            instructions: "Review the candidate.".into(),
            parts: vec![Part { name: "candidate".into(), text: text.into() }],
            reply: None,
            request: r#"{"step":"review"}"#.into(),
        },
    }
}

/// A play in this folder.
pub(crate) fn at(folder: &std::path::Path) -> impl FnOnce(&mut Program) {
    let folder = WorkingFolder::At(folder.to_path_buf());
    move |program| program.folder = folder
}
