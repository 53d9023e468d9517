//! A posted body: read within its limits, then as JSON.
//!
//! Invariant: of a body above the limit nothing is kept; a document that names a key twice is refused.
//! Absent here: what the fields mean.

use crate::{
    app::App,
    desk::Key,
    key,
    limits::Limits,
    prefer::Prefer,
    problem::{Kind, Problem},
};
use axum::{
    body::{Body, HttpBody},
    extract::{FromRequest, Request},
    http::{HeaderMap, header},
};
use http_body_util::BodyExt;
use redraft_workflows::unique;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::timeout;

/// What a client has posted.
pub(crate) struct Posted {
    /// The body.
    pub(crate) json: Value,
    /// Its name, if it has one.
    pub(crate) key: Option<Key>,
    /// How the client wants to be answered.
    pub(crate) prefer: Prefer,
}

impl FromRequest<App> for Posted {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        let (head, body) = request.into_parts();
        media_type(&head.headers)?;
        let bytes = read(&head.headers, body, &app.limits).await?;
        let key = key::key(&head.headers, &bytes)?;
        Ok(Self { json: json(&bytes)?, key, prefer: Prefer::of(&head.headers) })
    }
}

fn media_type(headers: &HeaderMap) -> Result<(), Problem> {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let name = given.and_then(|value| value.split(';').next()).unwrap_or_default().trim();
    if name.eq_ignore_ascii_case("application/json")
        && !headers.contains_key(header::CONTENT_ENCODING)
    {
        return Ok(());
    }
    let detail = "the body has to be `Content-Type: application/json` without an encoding";
    Err(Problem::new(Kind::UnsupportedMediaType, detail))
}

/// A body that is too large is read to its end and thrown away, within the time that reading has: most clients read
/// no answer before they have sent everything. Those that ask before they send are answered at once.
async fn read(headers: &HeaderMap, body: Body, limits: &Limits) -> Result<Vec<u8>, Problem> {
    let most = limits.body_bytes;
    let detail = format!("a body has at most {most} bytes");
    let too_large = || Problem::new(Kind::BodyTooLarge, detail.clone());
    let declared = body.size_hint().lower();
    let over = usize::try_from(declared).map_or(true, |bytes| bytes > most);
    if over && headers.contains_key(header::EXPECT) {
        return Err(too_large());
    }
    let keeps = if over { 0 } else { most };
    match timeout(limits.read_time, collect(body, keeps)).await {
        Ok(Ok(Some(bytes))) => Ok(bytes),
        Ok(Ok(None)) => Err(too_large()),
        Err(_) if over => Err(too_large()),
        Ok(Err(_)) => Err(Problem::new(Kind::BadRequest, "the body has broken off")),
        Err(_) => {
            let detail = format!("a body arrives within {:?}", limits.read_time);
            Err(Problem::new(Kind::SlowRequest, detail))
        }
    }
}

/// The whole body; `None` where it has more than the most.
async fn collect(mut body: Body, most: usize) -> Result<Option<Vec<u8>>, axum::Error> {
    let mut kept = Some(Vec::new());
    while let Some(frame) = body.frame().await {
        let Ok(part) = frame?.into_data() else { continue };
        kept = kept.filter(|bytes| bytes.len() + part.len() <= most);
        if let Some(bytes) = &mut kept {
            bytes.extend_from_slice(&part);
        }
    }
    Ok(kept)
}

fn json(bytes: &[u8]) -> Result<Value, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let detail = format!("the body is not UTF-8 at byte {}", error.valid_up_to());
        Problem::new(Kind::BadJson, detail)
    })?;
    unique::parse(text).map_err(|bad| Problem::new(Kind::BadJson, bad.what).at(bad.pointer))
}

/// A value as what it should be.
pub(crate) fn typed<T: DeserializeOwned>(value: Value) -> Result<T, Problem> {
    no_list(&value, "")?;
    serde_path_to_error::deserialize(value).map_err(|error| {
        let pointer = pointer(error.path());
        Problem::new(Kind::InvalidRequest, error.into_inner().to_string()).at(pointer)
    })
}

/// Whether no list stands where an object should: serde would take its items for the fields, in their order.
pub(crate) fn no_list(value: &Value, pointer: &str) -> Result<(), Problem> {
    match value.pointer(pointer) {
        Some(Value::Array(_)) => {
            let detail = "an object is needed here, and not a list";
            Err(Problem::new(Kind::InvalidRequest, detail).at(pointer))
        }
        Some(_) | None => Ok(()),
    }
}

fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let step = |segment: &Segment| match segment {
        Segment::Seq { index } => index.to_string(),
        Segment::Map { key } => key.replace('~', "~0").replace('/', "~1"),
        Segment::Enum { variant } => variant.clone(),
        Segment::Unknown => String::new(),
    };
    path.iter().map(step).filter(|step| !step.is_empty()).map(|step| format!("/{step}")).collect()
}
