//! Kill -9 at every durable write of a run, and gone on with by the same command.
//!
//! Only the program is killed: git, the builder and the checks are let go where they begin, so nobody ends them for us.

use super::stage::{ASKED, Builder, Stage, check_converged};
use crate::{
    durability::{
        sweep::{self, SYNCS},
        trace,
    },
    models::dice::Dice,
};
use std::{
    fs::File,
    process::Stdio,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::{Duration, Instant},
};

/// What brings writes to the journal.
const WRITES: &str = "pwrite64";

/// A place to be killed at: the k-th call of this name. Strace counts the calls of each thread by itself.
#[derive(Clone, Copy)]
struct Point {
    made: fn(Builder) -> Stage,
    builder: Builder,
    name: &'static str,
    k: usize,
}

/// How many calls of this name each thread of a whole run makes.
fn count(made: fn(Builder) -> Stage, builder: Builder, name: &str) -> Vec<usize> {
    let stage = made(builder);
    let under = |strace| stage.under(strace, &stage.words(&[]));
    let (mut threads, code) = sweep::count(&[name], stage.sandbox.path(), under);
    assert_eq!(code, Some(0));
    threads.remove(name).unwrap_or_default()
}

/// All durable writes of a run whose home is made so, where the busiest thread makes its own before all others.
fn syncs(made: fn(Builder) -> Stage, builder: Builder) -> Vec<Point> {
    let points = |name| {
        let most = count(made, builder, name).into_iter().max().unwrap_or(0);
        (1..=most).map(move |k| Point { made, builder, name, k })
    };
    SYNCS.into_iter().flat_map(points).collect()
}

/// Killed there; `None` where that comes too late.
fn kill(Point { made, builder, name, k }: Point) -> Option<Stage> {
    let stage = made(builder);
    let in_time = sweep::kill(name, k, |strace| stage.under(strace, &stage.words(&[])));
    in_time.then_some(stage)
}

/// The same command goes on: the same change and status, and nobody is asked again who has answered.
pub(super) fn check_goes_on(stage: &Stage, place: &str) {
    let ((durable, _), before) = (stage.durable(), stage.asked());
    check_converged(&stage.again(&[]), place);
    let all = stage.asked();
    for again in &all[before.len()..] {
        assert!(!durable.contains(again), "{place}: {again} was asked again");
    }
    for asked in ASKED {
        let times = all.iter().filter(|one| *one == asked).count();
        assert!((1..=2).contains(&times), "{place}: {asked}, {times} times");
    }
    assert!(all.len() <= ASKED.len() + 1, "{place}: {all:?}");
    assert_eq!(stage.runs().len(), 1, "{place}");
    stage.check_clean(place);
}

/// Kills at each of these; gives how many came in time.
fn sweep(points: &[Point]) -> usize {
    sweep::each(points, |point| {
        let Some(stage) = kill(*point) else { return false };
        let Point { builder, name, k, .. } = point;
        check_goes_on(&stage, &format!("{builder:?}, killed at {name} {k}"));
        true
    })
}

#[test]
fn killed_at_every_durable_write_a_pair_goes_on_to_the_same_change() {
    if !trace::works() {
        return;
    }
    let mut points = Vec::new();
    for builder in [Builder::Edits, Builder::Tells] {
        let all = syncs(Stage::new, builder);
        eprintln!("{builder:?}: {} durable writes", all.len());
        assert!(all.len() > ASKED.len(), "one for each call at least: {}", all.len());
        assert_eq!(count(Stage::new, builder, SYNCS[0]), [all.len()], "one thread makes them all");
        points.extend(all);
    }
    let came = sweep(&points);
    eprintln!("{} places, {came} kills came in time", points.len());
    assert_eq!(came, points.len());
}

#[test]
fn killed_at_every_durable_write_of_making_the_journal_a_pair_begins_anew() {
    if !trace::works() {
        return;
    }
    // Those of the thread that makes it; the run's own thread begins when all of them are done.
    let making = syncs(Stage::without_journal, Builder::Edits);
    let threads = count(Stage::without_journal, Builder::Edits, SYNCS[0]);
    let of_the_maker = threads.into_iter().min().unwrap();
    let points: Vec<Point> = making
        .into_iter()
        .filter(|point| point.name == SYNCS[1] || point.k <= of_the_maker)
        .collect();
    let came = sweep(&points);
    eprintln!("{} places, {came} kills came in time", points.len());
    assert!(points.len() > 5 && came == points.len(), "{came} of {}", points.len());
}

#[test]
fn killed_while_a_write_is_on_its_way_a_pair_goes_on_to_the_same_change() {
    if !trace::works() {
        return;
    }
    let writes = count(Stage::new, Builder::Edits, WRITES).into_iter().max().unwrap();
    let point = |k| Point { made: Stage::new, builder: Builder::Edits, name: WRITES, k };
    let points: Vec<Point> = (1..=writes).step_by(sweep::stride(17)).map(point).collect();
    let came = sweep(&points);
    eprintln!("{writes} places, {} tried, {came} kills came in time", points.len());
    assert!(came * 10 >= points.len() * 9, "{came} of {}", points.len());
}

/// Killed some time after it began, and once more some time after it went on; a whole run takes so long.
fn killed_twice(seed: u64, whole: Duration) -> usize {
    let builder = if seed.is_multiple_of(2) { Builder::Edits } else { Builder::Tells };
    let (stage, mut dice) = (Stage::new(builder), Dice(seed));
    let mut came = 0;
    for _ in 0..2 {
        let mut command = stage.command(&stage.words(&[]));
        let out = File::create(stage.sandbox.join("out")).unwrap();
        let mut child = command.stdout(out).stderr(Stdio::null()).spawn().unwrap();
        let wait = Duration::from_micros(dice.below(whole.as_micros() as u64));
        std::thread::sleep(wait); // real time: any moment of a run
        child.kill().unwrap();
        child.wait().unwrap();
        let told = stage.sandbox.read("out").ends_with("CONVERGED\n");
        let run = stage.runs().into_iter().next();
        let place = |run: &String| stage.sandbox.join(".redraft/worktrees").join(run);
        if let Some(run) = run.filter(|run| told && !place(run).exists()) {
            // All is told; the same command would begin anew. What is left to be tidied goes with any other.
            check_converged(&stage.play(&["pair", "--repo", "user", "--resume", &run]), "told");
            stage.check_clean(&format!("seed {seed}, told in time"));
            return came;
        }
        came += 1;
    }
    let place = format!("seed {seed}");
    let (before, (durable, _)) = (stage.asked(), stage.durable());
    // Where both kills cut off the same call, a person says whether it may be asked a third time.
    check_converged(&stage.again(&["--ask-again", "2"]), &place);
    let after = stage.asked();
    assert!(!after[before.len()..].iter().any(|asked| durable.contains(asked)), "{place}");
    assert!(after.len() <= ASKED.len() + came, "{place}: {after:?}");
    stage.check_clean(&place);
    came
}

#[test]
fn killed_at_any_moment_and_once_more_a_pair_goes_on_to_the_same_change() {
    let trials = if sweep::is_deep() { 100 } else { 6 };
    let (next, came) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (stage, begun) = (Stage::new(Builder::Edits), Instant::now());
    check_converged(&stage.again(&[]), "a whole run");
    let whole = begun.elapsed();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(n) = Some(next.fetch_add(1, Relaxed)).filter(|n| *n < trials) {
                    came.fetch_add(killed_twice(n as u64, whole), Relaxed);
                }
            });
        }
    });
    let came = came.into_inner();
    eprintln!("{trials} trials, {came} kills came in time");
    assert!(came > 0, "{came} of {trials}");
}
