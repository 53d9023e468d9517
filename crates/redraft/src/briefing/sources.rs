//! What of a briefing a run's first fact names: templates and names, each with version and hash.
//!
//! Invariant: only what plays a part in the run is named.
//! Absent here: rubrics of the offline agent; see `commands/agents.rs`.

use super::Briefing;
use crate::{
    commands::agents,
    exit::{Code, Failure},
};
use redraft_engine::sha256;
use redraft_loop::{CastMember, Source};
use redraft_workflows::review::{
    brief::{Origin, Side, Template},
    json,
    model::AssetId,
    names::Names,
    shape::CREATOR,
};
use std::collections::BTreeSet;

/// The templates and names that play a part in a run with this cast.
pub(crate) fn prompt_sources(
    briefing: &Briefing,
    asset: &AssetId,
    cast: &[CastMember],
) -> Result<Vec<Source>, Failure> {
    let mut sources: Vec<Source> = names_source(&briefing.names)?.into_iter().collect();
    sources.extend(used(briefing, asset, cast).map(prompt_source));
    let mut seen = BTreeSet::new();
    sources.retain(|source| seen.insert(source.name.clone()));
    Ok(sources)
}

/// The files of the project's own prompts that this cast reads for any of these assets.
pub(crate) fn prompts_of_project<'a>(
    briefing: &'a Briefing,
    assets: &[&AssetId],
    cast: &[CastMember],
) -> BTreeSet<&'a str> {
    let own = |template: &'a Template| match &template.origin {
        Origin::BuiltIn => None,
        Origin::Project { path } => Some(path.as_str()),
    };
    assets.iter().flat_map(|asset| used(briefing, asset, cast)).filter_map(own).collect()
}

/// The templates that this cast reads, in its order.
fn used<'a>(
    briefing: &'a Briefing,
    asset: &AssetId,
    cast: &[CastMember],
) -> impl Iterator<Item = &'a Template> {
    let readers = cast.iter().filter(|member| agents::reads_prompts(&member.agent));
    let used = |member: &CastMember| {
        let side = if member.role.as_str() == CREATOR { Side::Creator } else { Side::Reviewer };
        let brief = briefing.brief.as_ref();
        brief.map(|brief| brief.used(asset, side, member.lens.as_deref())).unwrap_or_default()
    };
    readers.flat_map(used).collect::<Vec<_>>().into_iter()
}

/// A template as the record names it.
pub(crate) fn prompt_source(template: &Template) -> Source {
    let version = match &template.origin {
        Origin::BuiltIn => template.version.to_string(),
        Origin::Project { .. } => format!("{} (project)", template.version),
    };
    let name = format!("prompt/{}", template.name);
    Source { name, version, sha256: sha256(&template.file) }
}

/// Hosts, guests and glossary as `episode.yaml` gives them, where it gives any.
pub(crate) fn names_source(names: &Names) -> Result<Option<Source>, Failure> {
    if !names.are_given() {
        return Ok(None);
    }
    // Speakers belong to the transcript, which is a source of its own.
    let given = Names { speakers: Vec::new(), ..names.clone() };
    let text = json::write(&given).map_err(|error| Failure::of(Code::Failure, &error))?;
    let (name, version) = ("names".to_owned(), "episode.yaml".to_owned());
    Ok(Some(Source { name, version, sha256: sha256(text) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use redraft_workflows::review::{
        brief::{Brief, EpisodeCard, Templates},
        episode_yaml,
    };
    use std::sync::Arc;

    fn member(role: &str, agent: &str, lens: Option<&str>) -> CastMember {
        let lens = lens.map(str::to_owned);
        CastMember {
            role: role.into(),
            agent: agent.into(),
            model: None,
            provider: None,
            family: None,
            lens,
        }
    }

    fn check(hosts: &str, cast: &[CastMember], named: &[&str]) {
        let yaml = format!("schema_version: 1\nepisode_id: e1\n{hosts}");
        let yaml = episode_yaml::parse(&yaml).unwrap();
        let names = Names::new(&yaml, &["Ada"]);
        let templates = Templates::built_in().unwrap();
        let file = "<!-- version: 5 -->\nThree words.";
        let templates = templates.with("kinds/slug", file, "slug.md".into()).unwrap();
        let episode = EpisodeCard::new(&yaml, &names, &[]).part();
        let brief = Some(Arc::new(Brief { templates, episode, transcript: None }));
        let briefing = Briefing { names: Arc::new(names), brief };
        let asset = AssetId::parse("slug").unwrap();
        let sources = prompt_sources(&briefing, &asset, cast).unwrap();
        let told: Vec<String> =
            sources.iter().map(|source| format!("{} {}", source.name, source.version)).collect();
        assert_eq!(told, named);
    }

    #[test]
    fn a_run_names_the_prompts_that_its_cast_reads_each_once() {
        let cast = [
            member("creator", "a-model", None),
            member("reviewer", "offline", None),
            member("reviewer_2", "a-model", Some("facts")),
            member("reviewer_3", "another", Some("names")),
        ];
        check(
            "hosts: [Ada]\n",
            &cast,
            &[
                "names episode.yaml",
                "prompt/creator 1",
                "prompt/kinds/slug 5 (project)",
                "prompt/reviewer 1",
                "prompt/lenses/facts 1",
                "prompt/lenses/names 1",
            ],
        );
    }

    #[test]
    fn agents_of_ours_read_no_prompts() {
        let cast = [member("creator", "offline", None), member("reviewer", "scripted", None)];
        check("", &cast, &[]);
    }
}
