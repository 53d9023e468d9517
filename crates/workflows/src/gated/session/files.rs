//! The files of a session: which of them a fact brings, binds, or puts aside.
//!
//! Invariant: what was approved and used is never dropped or changed; what was sent back no longer stands.
//! Absent here: where the session stands, and the disk.

use super::{MANUAL, Session};
use crate::gated::{
    approval::{Approval, seal},
    artifact::{self, Artifact, Aside, Kind, PLAN, aside, prompt_path, response_path},
    profile::{Phase, page},
    review::iteration_of,
    shape::{phase_of, step_of},
    state::State,
};
use redraft_loop::{Approved, Hash, Replied, Reply, Turn};
use std::{collections::BTreeMap, sync::Arc};

impl Session {
    /// The files that a state brings.
    pub(super) fn entered(&mut self, state: State, again: bool) {
        let iteration = self.iteration();
        let Some((phase, round)) = self.asked() else { return };
        if state.is_asking() {
            let prompt = page(&self.begun.written(&self.run, phase, round, None));
            self.put(prompt_path(phase, iteration), iteration, prompt.into(), Kind::Kept);
        }
        if state == State::Generating
            && !again
            && let Some(plan) = self.run.turn(0, &step_of(Phase::Planning))
        {
            let plan = plan.text().into();
            self.put(PLAN.into(), iteration, plan, Kind::Kept);
        }
        if state == State::Revising {
            self.put_code(iteration);
        }
        if state.is_gate() {
            self.put_turn(phase, iteration);
        }
    }

    /// The response that waits at its gate, with its files.
    fn put_turn(&mut self, phase: Phase, iteration: u32) {
        let Some(turn) = self.at_gate() else { return };
        let response = turn.text().into();
        self.last_error = self.malformed().map(str::to_owned);
        self.put(response_path(phase, iteration), iteration, response, Kind::Input);
        if matches!(phase, Phase::Generation | Phase::Revision) {
            self.put_code(iteration);
        }
    }

    /// The files of the iteration at hand, in place of those that stood there.
    fn put_code(&mut self, iteration: u32) {
        let folder = artifact::code_folder(iteration);
        let code = self.code();
        let path_of = |name: &str| format!("{folder}/{name}");
        let stays = |path: &str| {
            path.strip_prefix(&format!("{folder}/")).is_none_or(|name| code.contains_key(name))
        };
        self.artifacts.retain(|path, _| stays(path));
        for (name, text) in &code {
            let path = path_of(name);
            if self.artifacts.get(&path).is_none_or(|there| there.text != *text) {
                self.put(path, iteration, Arc::clone(text), Kind::Input);
            }
        }
    }

    pub(super) fn put(&mut self, path: String, iteration: u32, text: Arc<str>, kind: Kind) {
        let artifact = Artifact::new(self.state, iteration, text, self.run.now(), kind);
        self.artifacts.insert(path, artifact);
    }

    pub(super) fn replied(&mut self, asked: Option<(Phase, u32)>, replied: &Replied) {
        self.fails = false;
        let Some((phase, round)) = asked else { return };
        let served = replied.served.as_ref().and_then(|served| served.model.as_deref());
        self.by_file = served == Some(MANUAL) && !self.begun.is_by_hand(phase);
        let Reply::Unreadable { why, text } = &replied.reply else { return };
        self.last_error = Some(why.clone());
        self.refused = Some(text.clone());
        if !self.begun.is_by_hand(phase) {
            let iteration = iteration_of(phase, round);
            let n = count(&mut self.refusals, (phase, iteration));
            let path = aside(&response_path(phase, iteration), Aside::Refused, n);
            self.put(path, iteration, text.as_str().into(), Kind::Input);
        }
    }

    pub(super) fn approved(&mut self, approved: &Approved) {
        let Some((phase, round)) = self.asked() else { return };
        let iteration = iteration_of(phase, round);
        if approved.edited.is_some() {
            self.put_turn(phase, iteration);
        }
        self.last_error = None;
        let files = self.open_files(phase, iteration);
        if seal(&files) != approved.seal {
            self.unsealed = self.unsealed.or(Some((self.state, iteration)));
        }
        self.approvals.push(Approval {
            phase: self.state,
            iteration,
            files,
            by: approved.by.clone(),
            at: approved.at,
        });
    }

    /// What an approval here binds: the response, and the code that came of it.
    pub(in crate::gated) fn open_files(
        &self,
        phase: Phase,
        iteration: u32,
    ) -> BTreeMap<String, Hash> {
        let bound = |path: &str| is_bound(path, phase, iteration);
        let artifacts = self.artifacts.iter().filter(|(path, _)| bound(path));
        artifacts.map(|(path, artifact)| (path.clone(), artifact.sha256.clone())).collect()
    }

    /// What was approved and used is nobody's to change any more.
    pub(super) fn passed(&mut self, turn: Option<&Turn>) {
        let Some((phase, iteration)) = turn.and_then(place_of) else { return };
        for (path, artifact) in &mut self.artifacts {
            if is_bound(path, phase, iteration) {
                artifact.kind = Kind::Kept;
            }
        }
    }

    /// What was sent back stands aside, whatever a person had made of it.
    pub(super) fn rejected(&mut self, turn: Option<&Turn>) {
        let Some((phase, iteration)) = turn.and_then(place_of) else { return };
        let response = self.run.rejected().map(|turn| Arc::from(turn.text()));
        let rejection = self.rejections.entry((phase, iteration)).or_default();
        rejection.times += 1;
        rejection.response = response.unwrap_or_default();
        self.artifacts.retain(|path, _| !is_bound(path, phase, iteration));
    }
}

/// Whether an approval of this phase binds the file.
fn is_bound(path: &str, phase: Phase, iteration: u32) -> bool {
    let code = matches!(phase, Phase::Generation | Phase::Revision)
        && path.starts_with(&format!("{}/", artifact::code_folder(iteration)));
    code || path == response_path(phase, iteration)
}

fn place_of(turn: &Turn) -> Option<(Phase, u32)> {
    let phase = phase_of(&turn.step)?;
    Some((phase, iteration_of(phase, turn.round)))
}

fn count(counts: &mut BTreeMap<(Phase, u32), u32>, of: (Phase, u32)) -> u32 {
    let count = counts.entry(of).or_default();
    *count += 1;
    *count
}
