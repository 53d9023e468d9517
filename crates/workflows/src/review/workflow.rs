//! The review workflow: what creators and reviewers are asked, and how their replies are read.
//!
//! Invariant: a review is read from the reviewer's own reply only, never from the text under review.
//! Absent here: files, and who the agents are.

use super::{
    brief::{Brief, Briefed, Side, Task},
    checks::{self, LockedSelection},
    findings, forms, json, kept,
    model::{AssetId, Candidate, ReviewIteration},
    names::Names,
    reopening::{self, Wish},
    reply,
    shape::{self, CREATE, REVIEW},
};
use crate::{Part, Unreadable, Workflow, findings::Findings, reply::broken};
use redraft_loop::{Ask, Issue, Play, Reading, Role, Run, Severity, Verdict};
use serde::Serialize;
use std::{borrow::Cow, collections::BTreeSet, sync::Arc};

/// How much of a reply that could not be read its repair call is shown, in bytes.
const LONGEST_SHOWN: usize = 64 << 10;

/// The review of one asset.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// The asset.
    pub asset: AssetId,
    /// The selection that stands already and is locked, if any.
    pub locked: Option<LockedSelection>,
    /// Candidate ids that the asset has from elsewhere.
    pub taken: Vec<uuid::Uuid>,
    /// The roles that programs of ours play. They look at each candidate afresh, and may write files beside their
    /// reply; a model may not.
    pub ours: BTreeSet<Role>,
    /// The names that a text has to keep to.
    pub names: Arc<Names>,
    /// What models and people are told; `None` where only programs of ours play, which read the request alone.
    pub brief: Option<Arc<Brief>>,
}

/// What a call is asked, as one JSON document.
#[derive(Serialize)]
struct Request<'a> {
    asset_id: &'a AssetId,
    iteration: u32,
    role: &'a str,
    step: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidate: Option<Candidate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_candidate: Option<Candidate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_review: Option<ReviewIteration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reopened: Option<Wish>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repair: Option<Repair<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    open_findings: Vec<findings::Shown>,
}

/// Why a reply could not be read, and that reply.
#[derive(Serialize)]
pub(crate) struct Repair<'a> {
    why: &'a str,
    reply: &'a str,
}

impl<'a> Repair<'a> {
    /// What a repair call is about; `None` for any other call.
    pub(crate) fn of(ask: &'a Ask) -> Option<Self> {
        ask.repair.as_ref().map(|(why, reply)| Self { why, reply })
    }
}

impl Review {
    fn newest_candidate(&self, run: &Run) -> Option<Candidate> {
        let newest = run.newest(&CREATE.into()).and_then(|turn| turn.readings.first());
        kept::candidate_of(&self.asset, newest.or(run.opened().seed.as_ref())?)
    }

    /// The texts that a creator works on; what it quotes of them is no reply of its own.
    fn shown_to_creator(&self, run: &Run, known: &Findings, ask: &Ask) -> Vec<Cow<'_, str>> {
        let candidate = self.newest_candidate(run).map(|candidate| candidate.content);
        let review = run.newest(&REVIEW.into()).and_then(kept::merged_review);
        let review = review.map(|review| json::write(&review).unwrap_or_default());
        let own = candidate.into_iter().chain(review).map(Cow::Owned);
        own.chain(self.shown_to_all(run, known, ask)).collect()
    }

    /// The texts that a reviewer works on; what it quotes of them is no reply of its own.
    fn shown_to_reviewer(&self, run: &Run, known: &Findings, ask: &Ask) -> Vec<Cow<'_, str>> {
        let candidate = run.newest(&CREATE.into()).map(|turn| turn.text().to_owned());
        candidate.into_iter().map(Cow::Owned).chain(self.shown_to_all(run, known, ask)).collect()
    }

    /// Texts of others that stand in prompts beside what the call is about.
    fn shown_to_all(&self, run: &Run, known: &Findings, ask: &Ask) -> Vec<Cow<'_, str>> {
        let brief = self.brief.iter();
        let parts = brief.flat_map(|brief| [Some(&brief.episode), brief.transcript.as_ref()]);
        let parts = parts.flatten().map(|part| Cow::Borrowed(&*part.text));
        let locked = self.locked.iter().map(|locked| Cow::Borrowed(locked.text.as_str()));
        let told = findings::shown(known, ask).into_iter().flat_map(findings::Shown::into_texts);
        let wish = reopening::of(run).0.map(|wish| wish.reason);
        parts.chain(locked).chain(told.chain(wish).map(Cow::Owned)).collect()
    }

    /// What the call is about, as the brief needs it.
    fn task<'a>(
        &'a self,
        run: &'a Run,
        ask: &'a Ask,
        candidate: Option<&'a Candidate>,
        review: Option<&'a ReviewIteration>,
        open: &[findings::Shown],
    ) -> Task<'a> {
        let creates = ask.step.as_str() == CREATE;
        let cast = run.opened().cast.iter().find(|member| member.role == ask.role);
        Task {
            asset: &self.asset,
            side: if creates { Side::Creator } else { Side::Reviewer },
            lens: cast.and_then(|member| member.lens.as_deref()),
            iteration: ask.round,
            last_iteration: run.limits().rounds,
            locked: self.locked.as_ref().map(|locked| locked.text.as_str()),
            candidate,
            previous_review: review,
            open_findings: open_findings(open),
            more: reopened(run).into_iter().chain(repair(ask)).collect(),
        }
    }

    /// Two candidates of one id could not be told apart in any file.
    fn check_id(&self, run: &Run, reading: &Reading) -> Result<(), Unreadable> {
        let Some(candidate) = kept::candidate_of(&self.asset, reading) else { return Ok(()) };
        let id = candidate.candidate_id;
        let written = run.turns().iter().flat_map(|turn| &turn.readings);
        let twin = written
            .filter_map(|r| kept::candidate_of(&self.asset, r))
            .any(|c| c.candidate_id == id);
        if twin || self.taken.contains(&id) {
            let why = format!("{id} is the id of an earlier candidate");
            return Err(broken("/candidate/candidate_id", &why));
        }
        Ok(())
    }
}

impl Review {
    /// A review with what the house itself finds. The rules speak once a turn, in the first seat's review.
    fn by_the_rules(
        &self,
        run: &Run,
        known: &Findings,
        round: u32,
        seat: u32,
        review: Reading,
    ) -> Reading {
        let review = if seat == 0 { self.checked(run, round, review) } else { review };
        let roles = shape::reviewer_roles(seat as usize + 1);
        let by = roles.last().map_or("", Role::as_str);
        findings::with_stuck(known, by, round, review)
    }

    fn checked(&self, run: &Run, round: u32, review: Reading) -> Reading {
        let written = run.turns().iter().rev().filter(|turn| turn.step.as_str() == CREATE);
        let mut texts = written.map(|turn| turn.text());
        let candidate = texts.next().unwrap_or_default();
        let before = texts.next().zip(texts.next());
        let earlier = before.map(|(before, older)| [older, before]);
        let rubric = self.brief.as_ref().map(|brief| brief.templates.kind(&self.asset).body());
        let rules =
            checks::Rules { locked: self.locked.as_ref(), names: &self.names, rubric, earlier };
        checks::enforce(&self.asset, round, &rules, candidate, review)
    }

    /// What is demanded of everybody but programs of ours.
    fn check_role(&self, known: &Findings, ask: &Ask, reading: &Reading) -> Result<(), Unreadable> {
        if self.ours.contains(&ask.role) {
            return Ok(());
        }
        if !kept::mutate_files(reading).is_empty() {
            return Err(broken("/mutate_files", "only scripts write files beside their reply"));
        }
        findings::check_ids(known, reading)?;
        findings::demand_answers(known, ask, reading)
    }
}

/// Why a person had the asset reviewed again.
fn reopened(run: &Run) -> Option<Part> {
    let (wish, _) = reopening::of(run);
    // Texts are always JSON.
    let text = json::write(&wish?).unwrap_or_default();
    Some(Part::new("reopened", text))
}

/// The findings that a call is shown, where there are any.
fn open_findings(shown: &[findings::Shown]) -> Option<String> {
    // Texts are always JSON.
    (!shown.is_empty()).then(|| json::write(&shown).unwrap_or_default())
}

/// What a repair call works on beside the rest: the reply that could not be read, and why.
pub(crate) fn repair(ask: &Ask) -> Vec<Part> {
    let Some((why, reply)) = &ask.repair else { return Vec::new() };
    vec![Part::new("your reply", cut(reply)), Part::new("what is wrong", &**why)]
}

/// A reply that a repair call is shown; of an endless one the beginning.
fn cut(reply: &str) -> String {
    let end = reply.floor_char_boundary(LONGEST_SHOWN);
    match &reply[end..] {
        "" => reply.to_owned(),
        left_out => format!("{}\n[{} more bytes are left out]", &reply[..end], left_out.len()),
    }
}

impl Review {
    /// What a call is asked that works on this candidate, or on none yet.
    pub(super) fn asked(&self, run: &Run, ask: &Ask, newest: Option<Candidate>) -> crate::Prompt {
        let creates = ask.step.as_str() == CREATE;
        let review = run.newest(&REVIEW.into()).and_then(kept::merged_review);
        let (wish, before) = reopening::of(run);
        let review = review.or(before);
        let open = findings::shown(&findings::of_run(run), ask);
        let Briefed { instructions, parts } = match &self.brief {
            Some(brief) => {
                brief.write(&self.task(run, ask, newest.as_ref(), review.as_ref(), &open))
            }
            None => Briefed { instructions: String::new(), parts: repair(ask) },
        };
        let form = if creates { forms::creator() } else { forms::reviewer() };
        let reply = self.brief.as_ref().map(|_| form.asked());
        let (previous_candidate, candidate) = if creates { (newest, None) } else { (None, newest) };
        let request = Request {
            asset_id: &self.asset,
            iteration: ask.round,
            role: ask.role.as_str(),
            step: ask.step.as_str(),
            candidate,
            previous_candidate,
            previous_review: review.filter(|_| creates),
            reopened: wish,
            repair: Repair::of(ask),
            open_findings: open,
        };
        let request = json::write(&request).unwrap_or_default();
        crate::Prompt { instructions, parts, reply, request }
    }
}

impl Workflow for Review {
    fn write(&self, run: &Run, ask: &Ask) -> crate::Prompt {
        self.asked(run, ask, self.newest_candidate(run))
    }

    fn read(&self, run: &Run, ask: &Ask, text: &str) -> Result<Reading, Unreadable> {
        let known = findings::of_run(run);
        if ask.step.as_str() == CREATE {
            let shown = self.shown_to_creator(run, &known, ask);
            let shown: Vec<&str> = shown.iter().map(|text| &**text).collect();
            let reading = reply::creator(&self.asset, run, &known, ask, text, &shown)?;
            self.check_id(run, &reading)?;
            self.check_role(&known, ask, &reading)?;
            return Ok(reading);
        }
        let shown = self.shown_to_reviewer(run, &known, ask);
        let shown: Vec<&str> = shown.iter().map(|text| &**text).collect();
        let review = reply::reviewer(&self.asset, run, &known, ask, text, &shown)?;
        self.check_role(&known, ask, &review)?;
        Ok(self.by_the_rules(run, &known, ask.round, ask.seat, review))
    }

    /// Stands in for a reviewer whose replies nobody can read: a case for a person.
    fn play(&self, run: &Run, play: &Play) -> Reading {
        let (seat, why) = play.instead.clone().unwrap_or_default();
        let run_id = &run.opened().run;
        let name = format!("review_issue:{run_id}:{}:{}:{seat}:unreadable", self.asset, play.round);
        let issue = Issue {
            id: kept::named_uuid(&name).to_string(),
            severity: Severity::Warning,
            message: format!("the review could not be read, so a person has to look: {why}"),
            code: Some(checks::UNREADABLE.to_owned()),
            field: None,
        };
        let verdict = Some(Verdict::NeedsHuman);
        let review = Reading { verdict, ..kept::standing_in(run.now()) };
        self.by_the_rules(
            run,
            &findings::of_run(run),
            play.round,
            seat,
            kept::with_house_issue(review, issue),
        )
    }
}

#[cfg(test)]
mod tests;
