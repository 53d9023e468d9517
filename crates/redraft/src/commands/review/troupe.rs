//! Troupes: the assets of one command, parted by the agents that play them.
//!
//! Why: an open run goes on with its own agents, whatever others the runs beside it have.
//! Invariant: every asset that was named has one troupe.
//! Absent here: which agents an asset has. Planning knows.

use crate::{
    exit::{Code, Failure},
    play::{Cast, Plan},
};
use redraft_workflows::review::model::AssetId;
use std::sync::Arc;

/// Assets that the same agents play.
pub(crate) struct Troupe {
    pub(crate) plan: Plan,
    /// Nobody, where all its assets are decided.
    pub(crate) cast: Cast,
    pub(crate) assets: Vec<AssetId>,
}

/// The assets with their plans, those of the same agents together, in the order in which they were named.
pub(crate) fn parted(
    assets: &[AssetId],
    plan: impl Fn(&AssetId) -> Result<Plan, Failure>,
) -> Result<Vec<(Plan, Vec<AssetId>)>, Failure> {
    let mut parts: Vec<(Plan, Vec<AssetId>)> = Vec::new();
    for asset in assets {
        let plan = plan(asset)?;
        match parts.iter_mut().find(|(known, _)| known.agents().eq(plan.agents())) {
            Some((_, assets)) => assets.push(asset.clone()),
            None => parts.push((plan, vec![asset.clone()])),
        }
    }
    Ok(parts)
}

/// Where every asset finds its troupe.
pub(crate) type Troupes = Vec<Arc<Troupe>>;

/// The troupe that plays this asset.
pub(crate) fn of(troupes: &Troupes, asset: &AssetId) -> Result<Arc<Troupe>, Failure> {
    let troupe = troupes.iter().find(|troupe| troupe.assets.contains(asset)).cloned();
    troupe.ok_or_else(|| Failure::new(Code::Failure, format!("{asset}: nobody is cast for it")))
}
