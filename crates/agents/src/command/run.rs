//! One call of a program: what it is told, what is heard from it, and when that is over.
//!
//! Invariant: however it ends, every process of the call has been ended before this returns.
//! Absent here: what the reply means.

use super::{
    failure::{Cause, CommandError, Exit},
    family::{self, Family},
    launch::Launch,
    program::Program,
    secrets::Secrets,
};
use std::{
    pin::pin,
    process::ExitStatus,
    sync::{Mutex, MutexGuard, PoisonError},
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    process::{Child, ChildStdin},
    time::sleep,
};

/// How many of the last bytes on stderr are kept.
const LAST_WORDS: usize = 4 << 10;

/// A program that has ended by itself.
pub(super) struct Ended {
    status: ExitStatus,
    pub(super) stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Ended {
    /// How it failed; nothing when it says that it did not.
    pub(super) fn failure(&self, program: &Program, secrets: &Secrets) -> Option<Cause> {
        let how = match Exit::of(self.status) {
            Exit::Status(0) => return None,
            how @ (Exit::Status(_) | Exit::Signal(_)) => how,
        };
        // So say shells and launchers that did not find or could not run what they were to start.
        let missing = matches!(how, Exit::Status(126 | 127));
        let install = program.install.clone().filter(|_| missing);
        Some(Cause::Ended { how, words: complaint(program, &self.stderr, secrets), install })
    }
}

/// Runs the program to its end, or to ours.
pub(super) async fn run(
    program: &Program,
    input: Option<&[u8]>,
    secrets: &Secrets,
) -> Result<Ended, CommandError> {
    let failed =
        |cause, survivors| CommandError { program: program.name.clone(), cause, survivors };
    let started = Launch::of(program).and_then(|launch| family::start(&launch, input.is_some()));
    let (mut child, family) = started.map_err(|cause| failed(cause, 0))?;
    let (outcome, survivors) = {
        let words = Mutex::new(Vec::new());
        let mut talk = pin!(converse(&mut child, &family, program, input, &words));
        let over = tokio::select! {
            outcome = &mut talk => Over::Said(outcome),
            () = sleep(program.deadline) => Over::Late,
            () = family.outgrows(program.max_processes) => Over::Outgrown,
        };
        match over {
            Over::Said(outcome) => (outcome, family.end().await),
            Over::Late => {
                let words = complaint(program, &lock(&words), secrets);
                let cause = Cause::Late { after: program.deadline, words };
                (Err(cause), listening(family.end(), talk).await)
            }
            Over::Outgrown => {
                let cause = Cause::TooMany { cap: program.max_processes };
                (Err(cause), listening(family.kill(), talk).await)
            }
        }
    };
    // The program is dead; this takes its status, so that it is not left as a zombie.
    let _ = child.try_wait();
    outcome.map_err(|cause| failed(cause, survivors))
}

/// Its last words, cleaned before they are cut, so that no half of a value is left.
fn complaint(program: &Program, stderr: &[u8], secrets: &Secrets) -> String {
    let text = String::from_utf8_lossy(stderr);
    // Where the beginning is lost, the first word may be the end of a value.
    let whole = match stderr.len() < LAST_WORDS {
        true => &*text,
        false => text.find(char::is_whitespace).map_or("", |at| &text[at..]),
    };
    program.output.complaint(secrets.clean(whole).as_bytes())
}

/// Why a talk is over.
enum Over {
    Said(Result<Ended, Cause>),
    Late,
    Outgrown,
}

/// Goes on listening while this happens, though it comes too late: a program that is asked to end may have to
/// write something before it does, and a closed pipe would kill it.
pub(super) async fn listening<T>(happens: impl Future<Output = T>, talk: impl Future) -> T {
    let listen = async {
        talk.await;
        std::future::pending().await
    };
    tokio::select! {
        value = happens => value,
        value = listen => value,
    }
}

/// Tells and hears all at once: a program may write before it has read.
async fn converse(
    child: &mut Child,
    family: &Family,
    program: &Program,
    input: Option<&[u8]>,
    words: &Mutex<Vec<u8>>,
) -> Result<Ended, Cause> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let ends = async {
        let status = child.wait().await.map_err(Cause::Pipe)?;
        // Whoever it left behind has nothing more to say, and would keep the pipes open.
        family.end().await;
        Ok(status)
    };
    let told = async {
        tell(stdin, input.unwrap_or_default()).await;
        Ok(())
    };
    let ((), stdout, (), status) = tokio::try_join!(
        told,
        hear(stdout, program.max_output_bytes),
        hear_last(stderr, words, LAST_WORDS),
        ends
    )?;
    Ok(Ended { status, stdout, stderr: std::mem::take(&mut lock(words)) })
}

/// Writes the prompt and closes stdin. A program that does not read it may still answer.
async fn tell(stdin: Option<ChildStdin>, input: &[u8]) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(input).await;
    }
}

/// All that it writes, up to the cap.
async fn hear(pipe: Option<impl AsyncRead + Unpin>, cap: usize) -> Result<Vec<u8>, Cause> {
    let mut heard = Vec::new();
    if let Some(pipe) = pipe {
        let most = u64::try_from(cap).unwrap_or(u64::MAX).saturating_add(1);
        pipe.take(most).read_to_end(&mut heard).await.map_err(Cause::Pipe)?;
    }
    if heard.len() > cap { Err(Cause::TooLong { cap }) } else { Ok(heard) }
}

/// The last bytes that it writes, this many at most, however many come before them; to be seen at any time.
pub(super) async fn hear_last(
    pipe: Option<impl AsyncRead + Unpin>,
    last: &Mutex<Vec<u8>>,
    most: usize,
) -> Result<(), Cause> {
    let Some(mut pipe) = pipe else { return Ok(()) };
    let mut new = Vec::with_capacity(most);
    while pipe.read_buf(&mut new).await.map_err(Cause::Pipe)? > 0 {
        let mut last = lock(last);
        last.append(&mut new);
        let old = last.len().saturating_sub(most);
        last.drain(..old);
    }
    Ok(())
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
