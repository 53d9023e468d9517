//! `redraft gated init`: begins a session by a profile.
//!
//! Invariant: nothing is made before everything that was given has been read and checked.
//! Absent here: what the first step does.

use super::Where;
use crate::{
    clock,
    commands::{block_on_one_thread, configured},
    config::{CallFlags, Flags, GatedFlags},
    episode::new_run_id,
    exit::{Code, Failure},
    gated::{self, Found, House, Table},
    say,
    standalone::{Place, registration},
};
use redraft_engine::{Batch, DriveError, Journal, Settlement, sha256};
use redraft_loop::{Epoch, Fact, Opened, Source};
use redraft_store::{Home, RunJournal};
use redraft_workflows::gated::{
    Bounds, Settings,
    ddl::Ddl,
    profile::{Context, KeyKind, Phase, Profile},
    shape,
};
use serde_json::json;
use std::{collections::BTreeMap, fs, path::PathBuf};

/// The largest schema file.
const MOST_SCHEMA: u64 = 16 << 20;

/// Begin a session, and print its id
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The profile; `redraft gated profiles` lists them
    #[arg(long, value_name = "NAME")]
    profile: String,
    /// The layer to write
    #[arg(long)]
    scope: Option<String>,
    /// The class or type of a row
    #[arg(long)]
    entity: Option<String>,
    /// The table
    #[arg(long)]
    table: Option<String>,
    /// The part of the business it belongs to
    #[arg(long, value_name = "NAME")]
    bounded_context: Option<String>,
    /// The file with the table's DDL
    #[arg(long, value_name = "DDL")]
    schema_file: Option<PathBuf>,
    /// A value of the profile's context; may be given several times
    #[arg(long = "context", short = 'c', value_name = "KEY=VALUE")]
    context: Vec<String>,
    /// Whose session it is
    #[arg(long, value_name = "NAME")]
    dev: Option<String>,
    /// What it belongs to elsewhere, such as a ticket
    #[arg(long, value_name = "ID")]
    task_id: Option<String>,
    /// The most iterations [default: the profile's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    max_iterations: Option<u32>,
    #[command(flatten)]
    who: GatedFlags,
    #[command(flatten)]
    place: Where,
    #[command(flatten)]
    calls: CallFlags,
}

pub(super) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    let from = &args.place.workspace;
    let flags = Flags { gated: args.who.clone(), ..Flags::from(args.calls.clone()) };
    let config = configured(from, &flags)?;
    let found = gated::find(from, &args.profile)?;
    let profile = found.profile()?;
    let context = context(args, &profile)?;
    let settings = settings(args, &found, &profile, &context)?;
    let place = known_place(from)?;
    let iterations = args.max_iterations.unwrap_or(profile.max_iterations());
    let table = gated::cast(&config, &args.calls, &profile, (iterations, &place))?;
    let opened = opened(&profile, settings, table);
    let house = House::made(from)?;
    let id = opened.run.clone();
    append(&house, opened)?;
    let desk = house.open(&id)?;
    let folder = desk.folder.place("");
    if as_json {
        let fields =
            json!({"session_id": id.as_str(), "session": desk.session.told(), "folder": folder});
        say::json_line("gated init", Code::Done, fields);
        return Ok(Code::Done);
    }
    say::err(&format!("folder: {}", folder.display()));
    say::err(&format!("next: redraft gated step {id}"));
    say::out(id.as_str());
    Ok(Code::Done)
}

/// The values that were given, by whatever flag.
fn context(args: &Args, profile: &Profile) -> Result<Context, Failure> {
    let mut given = BTreeMap::new();
    let schema = args.schema_file.as_ref().map(|path| path.display().to_string());
    let flags = [
        ("scope", args.scope.clone()),
        ("entity", args.entity.clone()),
        ("table", args.table.clone()),
        ("bounded_context", args.bounded_context.clone()),
        ("schema_file", schema),
    ];
    for (key, value) in flags {
        given.extend(value.map(|value| (key.to_owned(), value)));
    }
    for pair in &args.context {
        let Some((key, value)) = pair.split_once('=') else {
            return Err(Failure::usage(format!("-c {pair}: a value is given as KEY=VALUE")));
        };
        if given.insert(key.to_owned(), value.to_owned()).is_some() {
            return Err(Failure::usage(format!("{key} is given twice"))
                .help("give it once, by its flag or by -c"));
        }
    }
    let name = profile.name();
    profile.context(&given).map_err(|error| {
        Failure::usage(error.to_string())
            .help(format!("redraft gated profiles {name} tells its keys; -c KEY=VALUE gives one"))
    })
}

fn settings(
    args: &Args,
    found: &Found,
    profile: &Profile,
    context: &Context,
) -> Result<Settings, Failure> {
    let files = found.files.iter().map(|(path, text)| (path.to_owned(), text.to_owned()));
    let keys = profile.keys().iter();
    let values =
        keys.filter_map(|key| Some((key.name.clone(), context.get(&key.name)?.to_owned())));
    Ok(Settings {
        profile: files.collect(),
        context: values.collect(),
        schema: schema(profile, context)?,
        developer: args.dev.clone(),
        task_id: args.task_id.clone(),
        by_hand: Vec::new(),
    })
}

/// The table that the session is about, read from its schema file.
fn schema(
    profile: &Profile,
    context: &Context,
) -> Result<Option<redraft_workflows::gated::Schema>, Failure> {
    for key in profile.keys().iter().filter(|key| key.kind == KeyKind::File) {
        let Some(path) = context.get(&key.name).filter(|path| !path.is_empty()) else { continue };
        check_file(&key.name, path)?;
    }
    let Some(keys) = profile.schema() else { return Ok(None) };
    let path = context.get(&keys.file).unwrap_or_default();
    let place = PathBuf::from(path);
    let bytes = fs::read(&place).map_err(|error| Failure::in_file(Code::Usage, &place, &error))?;
    let sha256 = sha256(&bytes).to_string();
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::usage(format!("{path}: not UTF-8 from byte {at} on"))
    })?;
    let ddl = Ddl::read(path, &text);
    let schema = Settings::schema_of(profile, context, &ddl, sha256)
        .map_err(|error| Failure::usage(error.to_string()))?;
    if let Ok(Some(table)) = profile.table(context, &ddl) {
        ddl.warnings_about(table).for_each(|warning| {
            say::err(&format!("warning: {path}:{}: {}", warning.line, warning.message));
        });
    }
    Ok(schema)
}

fn check_file(key: &str, path: &str) -> Result<(), Failure> {
    let place = PathBuf::from(path);
    let failed = |error: std::io::Error| Failure::in_file(Code::Usage, &place, &error);
    let meta = fs::metadata(&place).map_err(failed)?;
    if !meta.is_file() || meta.len() > MOST_SCHEMA {
        let message = format!("{key}: {path} is no file of at most {MOST_SCHEMA} bytes");
        return Err(Failure::usage(message));
    }
    Ok(())
}

/// Where the session will be kept, made or not.
fn known_place(from: &std::path::Path) -> Result<Place, Failure> {
    let home = Home::find(from)?;
    let root = home.as_ref().map_or_else(|| from.to_owned(), |home| home.root().to_owned());
    Ok(Place { from: from.to_owned(), root, home })
}

/// A new session, with everything that a replay needs.
fn opened(profile: &Profile, settings: Settings, table: Table) -> Opened {
    let players = Phase::ALL.map(|phase| {
        let role = profile.phase(phase).role;
        (phase, role, table.by_hand.contains(&role))
    });
    let by_hand = table.by_hand.iter().map(|role| role.name().to_owned()).collect();
    let settings = Settings { by_hand, ..settings };
    let sources = settings.profile.iter().map(|(path, text)| Source {
        name: format!("profile/{}/{path}", profile.name()),
        version: String::new(),
        sha256: sha256(text),
    });
    Opened {
        run: new_run_id(),
        at: clock::now(),
        epoch: Epoch(1),
        subject: subject(profile, &settings),
        shape: shape(&Bounds { limits: table.limits, players: players.into() }),
        cast: table.members,
        sources: sources.collect(),
        seed: None,
        past: Vec::new(),
        first_round: 1,
        // These types have string keys only, which JSON always holds.
        settings: serde_json::to_value(settings).unwrap_or_default(),
    }
}

/// How lists name a session: its profile, and the names that it is about.
fn subject(profile: &Profile, settings: &Settings) -> String {
    const ABOUT: usize = 60;
    let named = profile.keys().iter().filter(|key| {
        matches!(key.kind, KeyKind::Choice | KeyKind::Identifier) && key.default.is_none()
    });
    let values = named.filter_map(|key| settings.context.get(&key.name).cloned());
    let words: Vec<String> = std::iter::once(profile.name().to_owned()).chain(values).collect();
    words.join(" ").chars().take(ABOUT).collect()
}

fn append(house: &House, opened: Opened) -> Result<(), Failure> {
    let (registration, run, at) = (registration(&opened), opened.run.clone(), opened.at);
    let journal = RunJournal::new(house.store.clone(), run, registration);
    let batch = Batch {
        after: 0,
        epoch: opened.epoch,
        facts: vec![Fact::Opened(opened)],
        claims: Vec::new(),
        settlement: Settlement::default(),
        at,
    };
    block_on_one_thread(async {
        journal
            .append(batch)
            .await
            .map(drop)
            .map_err(|error| Failure::from(DriveError::from(error)))
    })
}
