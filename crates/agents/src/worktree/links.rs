//! Where a symbolic link of a change may lead: to something inside the worktree, without a way round.
//!
//! Absent here: links that the commit has already.

use super::protected::{Refusal, is_git, shown};

/// Whether a link at this path may lead there. Steps up come first, so that no other link can make them lead further.
pub(super) fn check(path: &[u8], target: &[u8]) -> Result<(), Refusal> {
    let depth = path.iter().filter(|&&byte| byte == b'/').count();
    let steps = target.split(|&byte| byte == b'/');
    let mut steps = steps.filter(|step| !step.is_empty() && *step != b".");
    let up = steps.clone().take_while(|step| *step == b"..").count();
    let winding = steps.clone().skip(up).any(|step| step == b"..");
    let inside = !target.is_empty() && !target.starts_with(b"/") && up <= depth && !winding;
    if inside && !steps.any(is_git) {
        return Ok(());
    }
    Err(Refusal::LinkOutside { path: shown(path), target: shown(target) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_stays_inside_and_takes_no_way_round() {
        for target in ["b", "b/c", "./b", "../b", ".."] {
            assert!(check(b"a/link", target.as_bytes()).is_ok(), "{target}");
        }
        for target in ["/etc", "../../b", "b/../c", "", "../.git/config", "../../../../etc/passwd"]
        {
            assert!(check(b"a/link", target.as_bytes()).is_err(), "{target}");
        }
        assert!(check(b"link", b"..").is_err());
    }
}
