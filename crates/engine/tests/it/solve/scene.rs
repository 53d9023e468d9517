//! A solve from request to response, and what came of it.

use super::cast::*;
use crate::house::{House, drive_opened, opened};
use redraft_engine::*;
use redraft_loop::*;
use redraft_workflows::solve::{
    self, Bounds, End, Request, Response, Settings, Solve, critic_roles, normalize, response,
};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

/// Everything that decides how a solve goes.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub(super) request: Request,
    pub(super) says: Says,
    pub(super) failing: Faults,
    pub(super) critics: u32,
    pub(super) calls: u32,
    pub(super) repairs: u32,
    /// Seconds in all.
    pub(super) seconds: i64,
    pub(super) footer: bool,
    /// The commits after which its driver dies, and is followed by another.
    pub(super) dies_after: Option<usize>,
    /// The facts that an earlier driver left, and for how many seconds nobody drove the run then.
    pub(super) found: Option<(Vec<Fact>, u64)>,
}

impl Scene {
    /// A question that agents answer as told, within generous bounds.
    pub(super) fn of(says: Says) -> Self {
        Self {
            request: Request {
                prompt: "What is six times seven?".into(),
                constraints: vec!["Name a number".into()],
                output_format: None,
                context: None,
            },
            says,
            failing: Faults::new(),
            critics: 1,
            calls: 20,
            repairs: 1,
            seconds: 1_500,
            footer: true,
            dies_after: None,
            found: None,
        }
    }

    pub(super) fn constrained(self, constraints: &[&str]) -> Self {
        let constraints = constraints.iter().map(|&words| words.to_owned()).collect();
        Self { request: Request { constraints, ..self.request }, ..self }
    }

    pub(super) fn in_format(self, format: &str) -> Self {
        let output_format = Some(format.to_owned());
        Self { request: Request { output_format, ..self.request }, ..self }
    }

    pub(super) fn asking(self, prompt: &str) -> Self {
        Self { request: Request { prompt: prompt.into(), ..self.request }, ..self }
    }

    /// The first seat of this step goes wrong so, so many times.
    pub(super) fn with(mut self, step: &'static str, goes: Goes, times: usize) -> Self {
        self.failing.insert(first_seat(step), (goes, times));
        self
    }

    fn opened(&self) -> Opened {
        let limits = Limits {
            rounds: 1,
            calls: Some(self.calls),
            tokens: None,
            cost: None,
            time: Some(self.seconds * 1_000_000),
            attempts: 3,
            ask_again: 1,
        };
        let bounds = Bounds { critics: self.critics, limits, repairs: self.repairs };
        let problem = normalize(&self.request).unwrap();
        let settings = Settings {
            request: self.request.clone(),
            problem,
            footer: self.footer,
            scopes: vec![],
            prompts: Default::default(),
        };
        let settings = serde_json::to_value(settings).unwrap();
        Opened { settings, ..opened(solve::shape(&bounds)) }
    }

    /// Plays it to its end.
    pub(super) fn play(self) -> Came {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().start_paused(true).build().unwrap();
        let Self { says, failing, .. } = self.clone();
        let cast = Arc::new(Cast { says, failing, seen: Mutex::default() });
        let roles = critic_roles(self.critics).into_iter();
        let roles = roles.chain(["planner", "generator"].map(Role::new));
        let players = roles.map(|role| (role, Arc::clone(&cast) as Arc<dyn Agent>)).collect();
        let house = House::new();
        *house.fails_after.lock().unwrap() = self.dies_after;
        let mut lives = vec![];
        let rest = runtime.block_on(async {
            if let Some((facts, seconds)) = &self.found {
                house.journal.lock().unwrap().extend(facts.iter().cloned());
                house.began.set(tokio::time::Instant::now()).unwrap();
                tokio::time::advance(Duration::from_secs(*seconds)).await;
            }
            let first = drive_opened(&house, &players, self.opened(), &Solve).await;
            *house.fails_after.lock().unwrap() = None;
            match first {
                Ok(rest) => rest,
                Err(_) => {
                    lives = house.facts();
                    drive_opened(&house, &players, self.opened(), &Solve).await.unwrap()
                }
            }
        });
        assert!(matches!(rest, Rest::Decided(_)), "it always ends with a response: {rest:?}");
        let run = Run::replay(house.facts()).unwrap();
        let seen = cast.seen.lock().unwrap().clone();
        let (response, record) = (response(&run), RunRecord::fold(&house.facts()).unwrap());
        Came { response, record, facts: house.facts(), left: lives, run, seen, scene: self }
    }
}

/// What came of a solve.
#[derive(Debug)]
pub(super) struct Came {
    pub(super) scene: Scene,
    pub(super) run: Run,
    pub(super) response: Response,
    pub(super) record: RunRecord,
    pub(super) facts: Vec<Fact>,
    /// The facts that a driver left when it died.
    pub(super) left: Vec<Fact>,
    /// Every call, as it was answered.
    pub(super) seen: Vec<Seen>,
}

impl Came {
    pub(super) fn steps(&self) -> Vec<&str> {
        self.seen.iter().map(|seen| seen.step.as_str()).collect()
    }

    pub(super) fn known(&self) -> String {
        self.response.known_issues.join("\n")
    }

    pub(super) fn end(&self) -> End {
        solve::end(&self.run)
    }

    pub(super) fn reason(&self) -> &str {
        &self.run.decision().unwrap().reason
    }
}

/// Who sits in the first seat of a step.
pub(super) fn first_seat(step: &'static str) -> Position {
    let role = match step {
        "plan" => "planner",
        "generate" | "revise" => "generator",
        _ => "critic",
    };
    (step, role.to_owned())
}

/// Every position of a solve with so many critics.
pub(super) fn positions(critics: u32) -> Vec<Position> {
    let seats = |step| match step {
        "critique" | "recritique" => {
            critic_roles(critics).into_iter().map(|role| (step, role.to_string())).collect()
        }
        _ => vec![first_seat(step)],
    };
    STEPS.into_iter().flat_map(seats).collect()
}

/// How an incident at this position begins.
pub(super) fn name((step, role): &Position, critics: u32) -> String {
    match *step {
        "critique" | "recritique" if critics > 1 => format!("{step} by {role}: "),
        _ => format!("{step}: "),
    }
}
