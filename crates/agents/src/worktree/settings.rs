//! Which settings of a repository count while somebody is at work in it, and which the user's daily work writes.
//!
//! `git push -u` and `git switch -c` name branches and their remotes in the configuration. These settings run no program:
//! for a url, git runs one only where `protocol.ext.allow` permits it, and that setting counts.
//!
//! Invariant: a setting that is not known to be harmless counts.
//! Absent here: files that the configuration includes; the lines that include them count.

use super::{changes::paths, fault::TreeError, root::Root};
use std::path::Path;

/// What is harmless of sections that have a name of the user's, such as `branch.main`.
const OF_NAMED: [(&[u8], &[&[u8]]); 2] = [
    (b"branch", &[b"description", b"merge", b"pushremote", b"rebase", b"remote"]),
    (b"remote", &[b"fetch", b"pushurl", b"url"]),
];

const OF_USER: [&[u8]; 2] = [b"user.email", b"user.name"];

/// The settings of this file that count, in their order; none where git cannot read it.
///
/// # Errors
/// When git cannot be run.
pub(super) async fn that_count(root: &Root, file: &Path) -> Result<Option<Vec<u8>>, TreeError> {
    let list = root.git("config").arg("--file").arg(file);
    let said = list.args(&["--list", "-z", "--no-includes"]).run(b"").await?;
    Ok(said.is_fine().then(|| counting(&said.stdout)))
}

fn counting(list: &[u8]) -> Vec<u8> {
    paths(list).filter(|line| !is_harmless(key_of(line))).collect::<Vec<_>>().join(&0)
}

/// What stands before the value; a line break ends it, since no key has one.
fn key_of(line: &[u8]) -> &[u8] {
    line.split(|&byte| byte == b'\n').next().unwrap_or_default()
}

/// Git writes section and variable in small letters.
fn is_harmless(key: &[u8]) -> bool {
    let dot = |byte: &u8| *byte == b'.';
    let (first, last) = (key.iter().position(dot), key.iter().rposition(dot));
    let (Some(first), Some(last)) = (first, last) else { return false };
    if first == last {
        return OF_USER.contains(&key);
    }
    let (section, variable) = (&key[..first], &key[last + 1..]);
    OF_NAMED.iter().any(|(named, harmless)| *named == section && harmless.contains(&variable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_daily_work_writes_is_passed_over() {
        for line in [
            "branch.main.remote\norigin",
            "branch.a.b.merge\nrefs/heads/x",
            "branch.main.description",
            "remote.origin.url\nu",
            "remote.origin.fetch\n+refs/heads/*:refs/remotes/origin/*",
            "user.name\nMe",
        ] {
            assert_eq!(counting(line.as_bytes()), b"", "{line}");
        }
    }

    #[test]
    fn what_may_name_a_program_or_lead_elsewhere_counts() {
        for line in [
            "core.pager\nx",
            "remote.origin.uploadpack\nx",
            "remote.origin.receivepack\nx",
            "remote.origin.vcs\nx",
            "remote.origin.proxy\nx",
            "remote.url\nx",
            "branch.main.mergeoptions\nx",
            "user.signingkey\nx",
            "user.x.name\nx",
            "protocol.ext.allow\nalways",
            "filter.branch.main.remote.clean\nx",
            "core.pager\nx\nbranch.main.remote",
            "core.pager",
        ] {
            assert_eq!(counting(line.as_bytes()), line.as_bytes(), "{line}");
        }
        assert_eq!(counting(b"a.b\n1\0user.name\nx\0a.c\0"), b"a.b\n1\0a.c");
    }
}
