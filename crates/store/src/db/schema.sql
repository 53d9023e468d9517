-- The tables of the journal. Facts, commits, contents and streams only grow; triggers see to it.
-- A change here needs a new user_version and a migration.
CREATE TABLE streams(
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  workspace TEXT,
  subject TEXT,
  workflow TEXT,
  opened_at INTEGER NOT NULL
) STRICT;
CREATE INDEX streams_by_workspace ON streams(workspace, subject);
CREATE TABLE facts(
  stream INTEGER NOT NULL REFERENCES streams(key),
  seq INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY(stream, seq)
) STRICT;
CREATE TABLE heads(
  stream INTEGER PRIMARY KEY REFERENCES streams(key),
  seq INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  hash BLOB NOT NULL
) STRICT;
CREATE TABLE commits(
  n INTEGER PRIMARY KEY,
  stream INTEGER NOT NULL REFERENCES streams(key),
  seq INTEGER NOT NULL,
  head BLOB NOT NULL,
  chain BLOB NOT NULL
) STRICT;
CREATE TABLE budgets(
  scope TEXT NOT NULL,
  unit TEXT NOT NULL,
  cap INTEGER,
  used INTEGER NOT NULL,
  seal BLOB NOT NULL,
  PRIMARY KEY(scope, unit)
) STRICT, WITHOUT ROWID;
CREATE TABLE contents(
  sha256 BLOB PRIMARY KEY NOT NULL,
  bytes BLOB NOT NULL
) STRICT;

CREATE TRIGGER streams_stay BEFORE UPDATE ON streams
  BEGIN SELECT RAISE(ABORT, 'streams are never changed'); END;
CREATE TRIGGER streams_keep BEFORE DELETE ON streams
  BEGIN SELECT RAISE(ABORT, 'streams are never deleted'); END;
CREATE TRIGGER streams_once BEFORE INSERT ON streams
  WHEN EXISTS (SELECT 1 FROM streams WHERE key = NEW.key OR id = NEW.id)
  BEGIN SELECT RAISE(ABORT, 'streams are never replaced'); END;
CREATE TRIGGER facts_stay BEFORE UPDATE ON facts
  BEGIN SELECT RAISE(ABORT, 'facts are never changed'); END;
CREATE TRIGGER facts_keep BEFORE DELETE ON facts
  BEGIN SELECT RAISE(ABORT, 'facts are never deleted'); END;
CREATE TRIGGER facts_once BEFORE INSERT ON facts
  WHEN EXISTS (SELECT 1 FROM facts WHERE stream = NEW.stream AND seq = NEW.seq)
  BEGIN SELECT RAISE(ABORT, 'facts are never replaced'); END;
CREATE TRIGGER heads_keep BEFORE DELETE ON heads
  BEGIN SELECT RAISE(ABORT, 'heads are never deleted'); END;
CREATE TRIGGER commits_stay BEFORE UPDATE ON commits
  BEGIN SELECT RAISE(ABORT, 'commits are never changed'); END;
CREATE TRIGGER commits_keep BEFORE DELETE ON commits
  BEGIN SELECT RAISE(ABORT, 'commits are never deleted'); END;
CREATE TRIGGER commits_once BEFORE INSERT ON commits
  WHEN EXISTS (SELECT 1 FROM commits WHERE n = NEW.n)
  BEGIN SELECT RAISE(ABORT, 'commits are never replaced'); END;
CREATE TRIGGER contents_stay BEFORE UPDATE ON contents
  BEGIN SELECT RAISE(ABORT, 'contents are never changed'); END;
CREATE TRIGGER contents_keep BEFORE DELETE ON contents
  BEGIN SELECT RAISE(ABORT, 'contents are never deleted'); END;
CREATE TRIGGER contents_once BEFORE INSERT ON contents
  WHEN EXISTS (SELECT 1 FROM contents WHERE sha256 = NEW.sha256)
  BEGIN SELECT RAISE(ABORT, 'contents are never replaced'); END;
