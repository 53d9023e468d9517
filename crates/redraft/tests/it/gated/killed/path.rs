//! A session as a list of commands, each of which can be killed and given again.

use super::seen::{answered, check_asked, check_clean, check_same, folder};
use crate::{
    durability::sweep::{self, SYNCS},
    gated::unattended::scene::Scene,
};
use std::{collections::BTreeMap, ops::Range};

/// What is killed at: what makes writes durable, and what puts files of the folder aside and in their places.
pub(super) const CALLS: [&str; 4] = [SYNCS[0], SYNCS[1], RENAMES[0], RENAMES[1]];
pub(super) const RENAMES: [&str; 2] = ["rename", "renameat"];

/// A command of a session, and how it ends when nobody kills it.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) words: String,
    pub(super) code: i32,
    /// What is told when it is given again after all of it was done.
    pub(super) done: Option<&'static str>,
}

impl Step {
    pub(super) fn run(id: &str, code: i32) -> Self {
        Self { words: format!("gated run {id}"), code, done: None }
    }

    pub(super) fn approve(id: &str) -> Self {
        let words = format!("gated approve {id}");
        Self { words, code: 0, done: Some("it is approved already, by Ada") }
    }

    pub(super) fn reject(id: &str) -> Self {
        let words = format!("gated reject {id} --feedback Shorter");
        Self { words, code: 0, done: Some("nothing waits for a person's word in phase") }
    }

    /// Given as if nothing had happened.
    fn play(&self, scene: &Scene, place: &str) {
        let ended = scene.play(&self.words);
        assert_eq!(ended.code, self.code, "{place}: {}\n{}{}", self.words, ended.out, ended.err);
    }

    /// Given again after a kill: it ends as it would have, or says that all of it is done.
    fn again(&self, scene: &Scene, place: &str) {
        let ended = scene.play(&self.words);
        let was_done = self.done.is_some_and(|told| ended.code == 2 && ended.err.contains(told));
        let well = ended.code == self.code || was_done;
        assert!(well, "{place}: {}, {}\n{}{}", self.words, ended.code, ended.out, ended.err);
    }
}

/// The steps of a session, and what comes of them when nobody is killed.
pub(super) struct Path {
    pub(super) id: String,
    pub(super) steps: Vec<Step>,
    /// The scene before each step.
    before: Vec<Scene>,
    expected: BTreeMap<String, String>,
    /// What everybody is asked.
    whole: Vec<String>,
}

/// A place to be killed at: the k-th call of this name in a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    step: usize,
    name: &'static str,
    k: usize,
}

impl Path {
    /// Plays the steps from this scene on, and keeps how it stood before each.
    pub(super) fn new(scene: &Scene, id: String, steps: Vec<Step>) -> Self {
        let mut before = Vec::new();
        for step in &steps {
            before.push(scene.twin());
            step.play(scene, "nobody was killed");
        }
        let expected = folder(scene, &id);
        check_clean(scene, &id, "nobody was killed");
        let whole = scene.asked();
        Self { id, steps, before, expected, whole }
    }

    /// Every place to be killed at in these steps, at calls of these names.
    pub(super) fn places(&self, steps: Range<usize>, names: &[&'static str]) -> Vec<Place> {
        let mut places = Vec::new();
        for step in steps {
            let scene = self.before[step].twin();
            let words = &self.steps[step].words;
            let under = |strace| scene.under(strace_of(strace), words);
            let (counts, code) = sweep::count(names, scene.sandbox.path(), under);
            assert_eq!(code, Some(self.steps[step].code), "{words}");
            for name in names.iter().copied() {
                let threads = counts.get(name).cloned().unwrap_or_default();
                assert!(threads.len() <= 1, "{words}: one thread makes every {name}: {threads:?}");
                let count = threads.into_iter().sum();
                places.extend((1..=count).map(|k| Place { step, name, k }));
            }
        }
        places
    }

    /// Kills there, gives the same commands again, and compares; whether the kill came in time.
    pub(super) fn killed_at(&self, Place { step, name, k }: Place) -> bool {
        let (scene, words) = (self.before[step].twin(), &self.steps[step].words);
        let place = format!("step {step}, {words}, killed at {name} {k}");
        if !sweep::kill(name, k, |strace| scene.under(strace_of(strace), words)) {
            return false;
        }
        let (durable, asked) = (answered(&scene, &self.id), scene.asked().len());
        self.steps[step].again(&scene, &place);
        self.steps[step + 1..].iter().for_each(|step| step.play(&scene, &place));
        check_same(&folder(&scene, &self.id), &self.expected, &place);
        check_asked(&scene, (asked, &durable), &self.whole, &place);
        check_clean(&scene, &self.id, &place);
        true
    }

    /// Kills at every n-th of these places, and says how many there are.
    pub(super) fn sweep(&self, what: &str, places: &[Place], usual: usize) {
        let chosen: Vec<Place> = places.iter().copied().step_by(sweep::stride(usual)).collect();
        let came = sweep::each(&chosen, |place| self.killed_at(*place));
        eprintln!(
            "{what}: {} places, {} tried, {came} kills came in time",
            places.len(),
            chosen.len()
        );
        assert_eq!(came, chosen.len(), "{what}");
    }
}

/// Strace, told what to start.
pub(super) fn strace_of(mut strace: std::process::Command) -> std::process::Command {
    strace.arg(crate::sandbox::REDRAFT);
    strace
}
