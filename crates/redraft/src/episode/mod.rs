//! An episode's workspace, opened: its folder, its home, and what the journal says about it.
//!
//! Invariant: opening changes nothing. A home is made only when something has to be written down.
//! Absent here: what commands do with it.

mod adoption;
mod expected;
mod left;
mod past;
mod projection;
mod recording;
mod view;

pub(crate) use expected::{Expected, expected, unsynced};
pub(crate) use left::Left;
pub(crate) use projection::{AssetFiles, Shared};
pub(crate) use view::{StoredRun, View, facts, facts_page};

use crate::exit::{Code, Failure};
use redraft_loop::RunId;
use redraft_store::{
    Append, FileError, Home, LockGuard, Registration, Store, StreamId, StreamWrite, Wait,
    WorkspaceFiles,
};
use redraft_workflows::review::{
    episode_yaml::{self, EpisodeYaml},
    workspace::{self, WorkspaceFact},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// The largest contract file that is read.
pub(crate) const LARGEST_FILE: u64 = 256 * 1024 * 1024;

/// A workspace as it stands on disk.
pub(crate) struct Episode {
    /// The folder as it was given.
    pub(crate) root: PathBuf,
    pub(crate) files: Arc<WorkspaceFiles>,
    pub(crate) yaml: EpisodeYaml,
    home: Option<Home>,
}

impl Episode {
    /// Opens an existing workspace.
    pub(crate) fn open(root: &Path) -> Result<Self, Failure> {
        if !root.is_dir() {
            let message = format!("there is no workspace at {}", root.display());
            let help = "make one: redraft podcast init --episode-id ID --workspace DIR";
            return Err(Failure::usage(message).help(help));
        }
        let files = WorkspaceFiles::open(root)?;
        let Some(text) = read_text(&files, "episode.yaml", Code::Usage)? else {
            let message = format!("workspace exists but has no episode.yaml: {}", root.display());
            return Err(Failure::usage(message)
                .help("name a workspace with --workspace, or make one: redraft podcast init"));
        };
        let yaml = episode_yaml::parse(&text).map_err(|error| {
            Failure::in_file(Code::Usage, &root.join("episode.yaml"), &error)
                .help("correct the file; it is yours and is never written over")
        })?;
        let home = Home::find(root)?;
        Ok(Self { root: root.to_owned(), files: Arc::new(files), yaml, home })
    }

    /// Refuses to write to these places, before anything is written anywhere, where one leads out.
    pub(crate) fn admit<P: AsRef<str>>(
        &self,
        places: impl IntoIterator<Item = P>,
    ) -> Result<(), Failure> {
        for place in places {
            self.files.resolve(place.as_ref())?;
        }
        Ok(())
    }

    /// The journal of the workspace's home, where there is one.
    pub(crate) fn store(&self) -> Result<Option<Store>, Failure> {
        match &self.home {
            Some(home) => Ok(Store::open_existing(home)?),
            None => Ok(None),
        }
    }

    /// Where the workspace's home is, where there is one.
    pub(crate) fn home(&self) -> Option<&Home> {
        self.home.as_ref()
    }

    /// What the journal says, or without one what the files say.
    pub(crate) fn view(&self) -> Result<View, Failure> {
        let mut view = View::default();
        if let (Some(home), Some(store)) = (&self.home, self.store()?) {
            view.refresh(&store, &home.workspace_key(&self.root)?)?;
        }
        if !view.exists() {
            view.pending = Some(adoption::of_files(self)?);
        }
        Ok(view)
    }

    /// Opens the workspace to write: its home, which is made where there is none.
    pub(crate) fn desk(&self) -> Result<Desk, Failure> {
        let home = match &self.home {
            Some(home) => home.clone(),
            None => Home::create(&self.root)?,
        };
        let key = home.workspace_key(&self.root)?;
        Ok(Desk { store: Store::open(&home)?, home, key })
    }
}

/// Reads a text file of the workspace; `None` when it is not there.
pub(crate) fn read_text(
    files: &WorkspaceFiles,
    path: &str,
    code: Code,
) -> Result<Option<String>, Failure> {
    let bytes = match files.read(path, LARGEST_FILE) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Ok(None),
        Err(error @ (FileError::NotAFile { .. } | FileError::TooLarge { .. })) => {
            return Err(Failure::of(code, &error));
        }
        Err(error) => return Err(error.into()),
    };
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let whole = files.root().join(path);
        Failure::new(code, format!("{}: not UTF-8 from byte {at} on", whole.display()))
    })
}

/// Where a workspace's facts are written down.
#[derive(Clone)]
pub(crate) struct Desk {
    pub(crate) store: Store,
    pub(crate) home: Home,
    /// The workspace's path relative to its home.
    pub(crate) key: String,
}

impl Desk {
    /// The workspace's own stream.
    pub(crate) fn stream(&self) -> StreamId {
        StreamId::new(format!("workspace:{}", self.key))
    }

    fn registration(&self) -> Registration {
        Registration {
            kind: "workspace".into(),
            workspace: Some(self.key.clone()),
            subject: None,
            workflow: None,
            at: crate::clock::now().0,
        }
    }

    /// How a run of this workspace is listed.
    pub(crate) fn run_registration(&self, workflow: &str, asset: &str) -> Registration {
        Registration {
            kind: "run".into(),
            subject: Some(asset.to_owned()),
            workflow: Some(workflow.to_owned()),
            ..self.registration()
        }
    }

    /// A write to the workspace's stream, as the end of the stream stands then.
    pub(crate) fn write(&self, fact: &WorkspaceFact) -> Result<StreamWrite, Failure> {
        let body = workspace::encode(fact).map_err(|error| Failure::new(Code::Failure, error))?;
        Ok(StreamWrite::shared(self.stream(), vec![body]).registered(self.registration()))
    }

    /// Makes a fact of the workspace durable, together with the contents it names.
    pub(crate) async fn append(
        &self,
        fact: &WorkspaceFact,
        contents: Vec<Vec<u8>>,
    ) -> Result<(), Failure> {
        let append = Append { contents, ..Append::new(vec![self.write(fact)?]) };
        self.store.append(append).await?;
        Ok(())
    }

    /// The lock under which what many runs share is written.
    pub(crate) fn lock_shared(&self) -> Result<LockGuard, Failure> {
        Ok(self.home.lock(&format!("workspace:{}", self.key), Wait::Forever)?)
    }

    /// The lock that makes its holder the one driver of a run: an asset's id for its review, `draft:` and the id for
    /// its drafts. Busy while another holds it.
    pub(crate) fn lock_run(&self, subject: &str) -> Result<LockGuard, Failure> {
        Ok(self.home.lock(&format!("run:{}:{subject}", self.key), Wait::No)?)
    }
}

/// A new run's id: a UUID of version 7, so that ids sort by time.
pub(crate) fn new_run_id() -> RunId {
    RunId::new(uuid::Uuid::now_v7().to_string())
}
