//! `redraft init`: makes a home above many workspaces.

use crate::{
    exit::{Code, Failure},
    say,
};
use redraft_store::Home;
use serde_json::json;
use std::path::PathBuf;

/// Make a home (.redraft) above many workspaces, so that they share one journal and its lists
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where to make it
    #[arg(default_value = ".", value_name = "DIR")]
    folder: PathBuf,
}

pub(crate) fn run(args: &Args, as_json: bool) -> Result<Code, Failure> {
    if !args.folder.is_dir() {
        return Err(Failure::usage(format!("{}: no such folder", args.folder.display())));
    }
    let home = Home::create(&args.folder)?;
    let place = home.dir().display().to_string();
    if as_json {
        say::json("init", Code::Done, json!({ "home": place }));
    } else {
        say::out(&format!("Home: {place}"));
    }
    Ok(Code::Done)
}
