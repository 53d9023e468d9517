//! What the command line says.
//!
//! Absent here: flags that are no settings.

use super::{
    file_layer::{LONGEST_SECONDS, MOST, MOST_ITERATIONS},
    gated::{self, GatedRoles},
    layer::{Caps, Layer},
    money::{MicroUsd, MoneyError},
    origin::{Origin, Sourced},
};
use clap::value_parser;
use redraft_workflows::gated::profile::Role;

/// Settings for one command, over the environment and the files.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
pub(crate) struct Flags {
    #[command(flatten)]
    pub(crate) calls: CallFlags,
    /// Who writes
    #[arg(long, value_name = "AGENT")]
    pub(crate) creator: Option<String>,
    /// Who reviews; several review side by side
    #[arg(long, value_name = "AGENT")]
    pub(crate) reviewer: Vec<String>,
    /// Who solves; reviews have no such roles.
    #[arg(skip)]
    pub(crate) solvers: SolverFlags,
    /// Who changes a repository; reviews have no such roles.
    #[arg(skip)]
    pub(crate) pair: PairFlags,
    /// Who plays in a gated session; reviews have no such roles.
    #[arg(skip)]
    pub(crate) gated: GatedFlags,
    /// The last iteration
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=MOST_ITERATIONS))]
    pub(crate) max_iterations: Option<u64>,
    /// End when a candidate comes back that was there before
    #[arg(long)]
    pub(crate) stop_on_stagnation: bool,
}

/// Who answers questions.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
pub(crate) struct SolverFlags {
    /// Who plans an answer
    #[arg(long, value_name = "AGENT")]
    pub(crate) planner: Option<String>,
    /// Who writes and revises an answer
    #[arg(long, value_name = "AGENT")]
    pub(crate) generator: Option<String>,
    /// Who criticises an answer; several criticise side by side
    #[arg(long, value_name = "AGENT")]
    pub(crate) critic: Vec<String>,
}

/// Who changes a repository.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
pub(crate) struct PairFlags {
    /// Who proposes, criticises and verifies
    #[arg(long, value_name = "AGENT")]
    pub(crate) architect: Option<String>,
    /// Who implements
    #[arg(long, value_name = "AGENT")]
    pub(crate) builder: Option<String>,
}

/// Who plays in a gated session.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
pub(crate) struct GatedFlags {
    /// Who plans [default: gated.planner, else manual: a person with a response file]
    #[arg(long, value_name = "AGENT")]
    pub(crate) planner: Option<String>,
    /// Who writes the files [default: gated.generator, else manual]
    #[arg(long, value_name = "AGENT")]
    pub(crate) generator: Option<String>,
    /// Who reviews them [default: gated.reviewer, else manual]
    #[arg(long, value_name = "AGENT")]
    pub(crate) reviewer: Option<String>,
    /// Who revises them [default: gated.reviser, else manual]
    #[arg(long, value_name = "AGENT")]
    pub(crate) reviser: Option<String>,
}

impl GatedFlags {
    fn roles(&self) -> GatedRoles {
        let Self { planner, generator, reviewer, reviser } = self;
        let all = [
            (Role::Planner, planner),
            (Role::Generator, generator),
            (Role::Reviewer, reviewer),
            (Role::Reviser, reviser),
        ];
        let named = |(role, name): (Role, &Option<String>)| {
            Some((role, of(gated::flag(role), name.clone())?))
        };
        all.into_iter().filter_map(named).collect()
    }
}

/// Those of commands whose texts nobody reviews.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
pub(crate) struct WriterFlags {
    #[command(flatten)]
    pub(crate) calls: CallFlags,
    /// Who writes
    #[arg(long, value_name = "AGENT")]
    pub(crate) creator: Option<String>,
}

/// Those of them that every command has which asks agents.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
pub(crate) struct CallFlags {
    /// The most calls of one run, retries and repairs included
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(..=u64::from(u32::MAX)))]
    pub(crate) max_calls: Option<u64>,
    /// The most tokens of one run, in and out together
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(..=MOST))]
    pub(crate) max_tokens: Option<u64>,
    /// The most US dollars of one run
    #[arg(long, value_name = "AMOUNT", value_parser = amount, allow_negative_numbers = true)]
    pub(crate) max_usd: Option<MicroUsd>,
    /// The longest that one call may take, in seconds
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=LONGEST_SECONDS))]
    pub(crate) call_seconds: Option<u64>,
    /// The longest that one run may take, in seconds
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=LONGEST_SECONDS))]
    pub(crate) total_seconds: Option<u64>,
    /// Trust the project's file for this command: it may name programs, servers and keys
    #[arg(long)]
    pub(crate) trust_project: bool,
}

impl From<CallFlags> for Flags {
    fn from(calls: CallFlags) -> Self {
        Self { calls, ..Self::default() }
    }
}

impl From<WriterFlags> for Flags {
    fn from(WriterFlags { calls, creator }: WriterFlags) -> Self {
        Self { calls, creator, ..Self::default() }
    }
}

fn amount(text: &str) -> Result<MicroUsd, MoneyError> {
    MicroUsd::parse(text)
}

impl Flags {
    pub(super) fn layer(&self) -> Layer {
        let some = |names: &Vec<String>| (!names.is_empty()).then(|| names.clone());
        let SolverFlags { planner, generator, critic } = &self.solvers;
        let run = Caps {
            calls: of("--max-calls", self.calls.max_calls),
            tokens: of("--max-tokens", self.calls.max_tokens),
            usd: of("--max-usd", self.calls.max_usd),
        };
        Layer {
            creator: of("--creator", self.creator.clone()),
            reviewers: of("--reviewer", some(&self.reviewer)),
            planner: of("--planner", planner.clone()),
            generator: of("--generator", generator.clone()),
            critics: of("--critic", some(critic)),
            architect: of("--architect", self.pair.architect.clone()),
            builder: of("--builder", self.pair.builder.clone()),
            gated: self.gated.roles(),
            max_iterations: of("--max-iterations", self.max_iterations),
            stop_on_stagnation: of("--stop-on-stagnation", self.stop_on_stagnation.then_some(true)),
            run,
            call_seconds: of("--call-seconds", self.calls.call_seconds),
            total_seconds: of("--total-seconds", self.calls.total_seconds),
            ..Layer::default()
        }
    }
}

fn of<T>(name: &'static str, value: Option<T>) -> Option<Sourced<T>> {
    value.map(|value| Sourced { value, origin: Origin::Flag(name) })
}
