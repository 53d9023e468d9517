//! The disk: a scratch folder on it, its bare speed, and what the system says was written.
//!
//! Invariant: all that is compared lies in one folder on one disk. Absent here: the journal.

use crate::Outcome;
use redraft_store::{Home, Store};
use std::{
    fs::{self, File, OpenOptions},
    io::{Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// A folder that is removed at the end: in `$BENCH_DIR`, else in `target/bench`.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Outcome<Self> {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let base = std::env::var_os("BENCH_DIR").map_or("target/bench".into(), PathBuf::from);
        let folder = base.join(format!("{name}-{}-{n}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self(fs::canonicalize(folder)?))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// A home with a journal in it.
    pub(crate) fn store(&self) -> Outcome<(Home, Store)> {
        let home = Home::create(&self.0)?;
        let store = Store::open(&home)?;
        Ok((home, store))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Where bare appends go.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Bare {
    /// To the end of a file that grows, as any log does.
    Growing,
    /// Over the bytes of a file that is long enough, as a journal does that is used again.
    Overwriting,
}

/// Appends each of these lengths and syncs after each, so often over; how long all of it took.
pub(crate) fn bare(folder: &Path, bare: Bare, lengths: &[usize], times: u64) -> Outcome<Duration> {
    let path = folder.join("bare");
    let mut file = OpenOptions::new().create(true).truncate(true).write(true).open(&path)?;
    let bytes = vec![b'x'; lengths.iter().copied().max().unwrap_or(0)];
    if bare == Bare::Overwriting {
        // As long as the journal's log gets before it is begun anew.
        file.write_all(&vec![b'y'; LOG])?;
        file.seek(SeekFrom::Start(0))?;
    }
    File::sync_all(&file)?;
    let begun = Instant::now();
    let mut at = 0;
    for _ in 0..times {
        for length in lengths {
            if bare == Bare::Overwriting && at + length > LOG {
                file.seek(SeekFrom::Start(0))?;
                at = 0;
            }
            file.write_all(&bytes[..*length])?;
            file.sync_data()?;
            at += length;
        }
    }
    let took = begun.elapsed();
    drop(file);
    fs::remove_file(path)?;
    Ok(took)
}

const LOG: usize = 160 * 4096;

/// What this process has written so far, as the system counts it.
#[derive(Clone, Copy)]
pub(crate) struct Written {
    /// Bytes given to write calls.
    pub(crate) given: u64,
    /// Bytes sent towards the disk.
    pub(crate) sent: u64,
}

impl Written {
    pub(crate) fn now() -> Outcome<Self> {
        let text = fs::read_to_string("/proc/self/io")?;
        Ok(Self { given: number(&text, "wchar:"), sent: number(&text, "write_bytes:") })
    }

    pub(crate) fn since(before: Self) -> Outcome<Self> {
        let now = Self::now()?;
        Ok(Self { given: now.given - before.given, sent: now.sent - before.sent })
    }
}

fn number(text: &str, key: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// The most memory this process ever held, in KiB.
pub(crate) fn peak_memory() -> Outcome<u64> {
    peak_memory_of("self")
}

/// The same of a process, by its number.
pub(crate) fn peak_memory_of(process: &str) -> Outcome<u64> {
    Ok(number(&fs::read_to_string(format!("/proc/{process}/status"))?, "VmHWM:"))
}

/// Processor time of this process so far, all threads, in clock ticks of 10 ms.
pub(crate) fn processor_ticks() -> Outcome<u64> {
    processor_ticks_of("self")
}

/// The same of a process, by its number.
pub(crate) fn processor_ticks_of(process: &str) -> Outcome<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/stat"))?;
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let tick = |n: usize| fields.get(n).and_then(|field| field.parse::<u64>().ok()).unwrap_or(0);
    Ok(tick(11) + tick(12))
}

/// The length of a file; 0 when there is none.
pub(crate) fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}
