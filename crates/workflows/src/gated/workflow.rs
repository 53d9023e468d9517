//! What the players of a session are asked, and how their responses are read.
//!
//! Invariant: a response counts only as the whole that its phase asks for; what a reviewer is shown is what its verdict
//! is held against.
//! Absent here: files, approvals, and who answers.

use super::{
    bundle, code,
    profile::{Material, Phase},
    review::{self, iteration_of},
    settings::Begun,
    shape::{phase_of, step_of},
};
use crate::{Prompt, Unreadable, Workflow, reply::LONGEST};
use redraft_loop::{Ask, Play, Reading, Run};
use std::{collections::BTreeMap, sync::Arc};

impl Workflow for Begun {
    fn write(&self, run: &Run, ask: &Ask) -> Prompt {
        let Some(phase) = phase_of(&ask.step) else { return Prompt::default() };
        self.written(run, phase, ask.round, ask.repair.as_ref().map(|(why, _)| why.as_str()))
    }

    fn read(&self, run: &Run, ask: &Ask, response: &str) -> Result<Reading, Unreadable> {
        let Some(phase) = phase_of(&ask.step) else {
            return Err(Unreadable { why: format!("step {} asks for nothing", ask.step) });
        };
        self.reading(run, phase, ask.round, response)
    }

    /// A review that nobody can read waits for a person; nothing else is played.
    fn play(&self, _run: &Run, play: &Play) -> Reading {
        let why = play.trouble.clone().or(play.instead.as_ref().map(|(_, why)| why.clone()));
        review::malformed(play.reply.clone().unwrap_or_default(), why.unwrap_or_default())
    }
}

impl Begun {
    /// The prompt of a phase in a round; `wrong` tells what was wrong with the last response.
    pub fn written(&self, run: &Run, phase: Phase, round: u32, wrong: Option<&str>) -> Prompt {
        let iteration = iteration_of(phase, round);
        let mut materials = self.materials(run, phase, round);
        let wants_repair = phase.materials().iter().any(|(of, _)| *of == Material::WhatIsWrong);
        if let Some(wrong) = wrong.filter(|_| wants_repair) {
            materials.push((Material::WhatIsWrong, wrong.into()));
        }
        let mut prompt = self.prompt(run, phase, iteration, materials);
        // What programs of ours read.
        prompt.request = serde_json::json!({
            "phase": phase.name(),
            "iteration": iteration,
            "context": self.settings.context,
        })
        .to_string();
        match phase {
            Phase::Review => review::asked(prompt, &self.session, iteration),
            Phase::Planning | Phase::Generation | Phase::Revision => prompt,
        }
    }

    /// A response as it is read in a round.
    ///
    /// # Errors
    /// When it is not what the phase asks for, with the line and the fix.
    pub fn reading(
        &self,
        run: &Run,
        phase: Phase,
        round: u32,
        response: &str,
    ) -> Result<Reading, Unreadable> {
        let iteration = iteration_of(phase, round);
        match phase {
            Phase::Planning if response.trim().is_empty() => {
                Err(Unreadable { why: "line 1: the plan is empty; write it".into() })
            }
            Phase::Planning if response.len() > LONGEST => {
                let bytes = response.len();
                let why = format!(
                    "line 1: the plan has {bytes} bytes, which is too long; write at most 8 MiB"
                );
                Err(Unreadable { why })
            }
            Phase::Planning => Ok(Reading::text(response)),
            Phase::Generation | Phase::Revision => {
                self.check_files(run, phase, round, response)?;
                Ok(code::reading(response.to_owned(), None))
            }
            Phase::Review => {
                let prompt = self.prompt(run, phase, iteration, self.materials(run, phase, round));
                review::read(response, &prompt, &self.session, iteration)
            }
        }
    }

    /// A response's files, each of which may stand beside those that are carried over.
    fn check_files(
        &self,
        run: &Run,
        phase: Phase,
        round: u32,
        response: &str,
    ) -> Result<(), Unreadable> {
        let extension = self.profile.extension();
        let bundle = bundle::read(response, extension)
            .map_err(|error| Unreadable { why: error.to_string() })?;
        let carried = match phase {
            Phase::Revision => code::of_iteration(run, round, extension),
            Phase::Planning | Phase::Generation | Phase::Review => code::Code::new(),
        };
        let twins: BTreeMap<String, &String> =
            carried.keys().map(|name| (bundle::twin(name), name)).collect();
        for file in &bundle.files {
            match twins.get(&bundle::twin(&file.name)) {
                Some(name) if **name != file.name => {
                    let (line, new) = (file.line, &file.name);
                    let why = format!(
                        "line {line}: the file {new} is {name} of the last iteration under another spelling; write it as it is spelled there"
                    );
                    return Err(Unreadable { why });
                }
                Some(_) | None => {}
            }
        }
        Ok(())
    }

    /// What a phase works on, whatever its order.
    fn materials(&self, run: &Run, phase: Phase, round: u32) -> Vec<(Material, Arc<str>)> {
        let mut materials = Vec::new();
        let mut add = |material, text: &str| materials.push((material, Arc::from(text)));
        if phase != Phase::Planning
            && let Some(plan) = run.turn(0, &step_of(Phase::Planning))
        {
            add(Material::Plan, plan.text());
        }
        if matches!(phase, Phase::Review | Phase::Revision) {
            let extension = self.profile.extension();
            add(Material::Candidate, &code::shown(&code::of_iteration(run, round, extension)));
            let remarks = code::turn_of(run, round).map(|turn| code::remarks(turn, extension));
            if let Some(Ok((remarks, _))) = remarks
                && !remarks.trim().is_empty()
            {
                add(Material::Remarks, &remarks);
            }
            let reviewed = if phase == Phase::Review { round.saturating_sub(1) } else { round };
            if let Some(review) = run.turn(reviewed, &step_of(Phase::Review)) {
                add(Material::PreviousReview, review.text());
            }
        }
        if let (Some(turn), Some(feedback)) = (run.rejected(), run.feedback()) {
            add(Material::Rejected, turn.text());
            add(Material::Feedback, feedback);
        }
        materials
    }
}
