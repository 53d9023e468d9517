//! What the protocols have in common: how a call is put into a request, and a body read into a reply.
//!
//! Invariant: an implementation is a pure function of bytes; the exchange does everything on the network.

use super::{
    Model, Provider, anthropic::Anthropic, fault::Fault, frames::Framing, gemini::Gemini,
    ollama::Ollama, openai::OpenAi, reply::Reply, told::Told,
};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error, SeqAccess, Visitor},
};
use serde_json::value::RawValue;
use std::{fmt, marker::PhantomData};

/// One call, as every protocol wants it.
pub(super) struct Ask<'a> {
    pub model: &'a Model,
    pub system: &'a str,
    pub user: &'a str,
    pub form: Option<Form<'a>>,
}

/// The form of the reply. The schema stays as it was written: models follow the order of its fields.
#[derive(Clone, Copy)]
pub(super) struct Form<'a> {
    pub name: &'a str,
    pub schema: &'a RawValue,
}

/// Whether more of a reply has to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// More has to come.
    More,
    /// This was the event that ends it.
    Done,
}

/// How a call is put into a request, and a body read into a reply.
pub(super) trait Protocol: Send + Sync {
    /// The path of a call.
    fn path(&self, ask: &Ask<'_>) -> Vec<String>;

    /// The query of a call.
    fn query(&self, _ask: &Ask<'_>) -> Option<&'static str> {
        None
    }

    /// The body of a call.
    fn body(&self, ask: &Ask<'_>) -> serde_json::Result<Vec<u8>>;

    /// The header that takes the key, and what stands before the key in it.
    fn key_header(&self) -> (&'static str, &'static str) {
        ("authorization", "Bearer ")
    }

    /// Headers beside the key and the content type.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// How a streamed body is cut.
    fn framing(&self) -> Framing {
        Framing::Events
    }

    /// Whether a stream has no event for its end, so that a whole body with a reason for its end stands for it.
    fn ends_with_body(&self) -> bool {
        false
    }

    /// Reads a body that came as one document.
    fn whole(&self, body: &[u8], reply: &mut Reply) -> Result<(), Fault>;

    /// Reads one event of a stream.
    fn event(&self, event: &[u8], reply: &mut Reply) -> Result<Progress, Fault>;

    /// The path and query of the list of models.
    fn models(&self) -> (&'static [&'static str], Option<&'static str>) {
        (&["models"], None)
    }

    /// Reads the list of models.
    fn model_names(&self, body: &[u8]) -> Result<Vec<String>, Fault> {
        let list: Listed = read(body)?;
        Ok(list.data.into_iter().map(|model| model.id).collect())
    }
}

/// The protocol that a provider speaks.
pub(super) fn spoken_by(provider: Provider) -> &'static dyn Protocol {
    match provider {
        Provider::OpenAi | Provider::Compatible => &OpenAi,
        Provider::Anthropic => &Anthropic,
        Provider::Gemini => &Gemini,
        Provider::Ollama => &Ollama,
    }
}

#[derive(Deserialize)]
struct Listed {
    data: Vec<ListedModel>,
}

#[derive(Deserialize)]
struct ListedModel {
    id: String,
}

/// One message of a conversation, as three of the protocols spell it.
#[derive(Serialize)]
pub(super) struct Message<'a> {
    pub role: &'static str,
    pub content: &'a str,
}

/// Both messages of a call.
pub(super) fn messages<'a>(ask: &Ask<'a>) -> [Message<'a>; 2] {
    let (system, user) = (ask.system, ask.user);
    [Message { role: "system", content: system }, Message { role: "user", content: user }]
}

/// Reads exactly one JSON document. An error that it tells of is found in whatever shape it comes.
pub(super) fn read<'de, T: Deserialize<'de>>(body: &'de [u8]) -> Result<T, Fault> {
    let unreadable = |error: serde_json::Error| {
        Told::in_body(body).map_or_else(|| Fault::Unreadable(error.to_string()), Fault::Told)
    };
    serde_json::from_slice(body).map_err(unreadable)
}

/// The longest list that is read where a reply has one.
const LONGEST_LIST: usize = 1_000;

/// Reads a list, or nothing, and refuses one that is too long: an empty element takes far more memory than the two
/// bytes it is sent in.
pub(super) fn short_list<'de, D, T>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    deserializer.deserialize_option(ShortList(PhantomData))
}

struct ShortList<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ShortList<T> {
    type Value = Option<Vec<T>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {LONGEST_LIST}")
    }

    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut read = Vec::new();
        while let Some(element) = list.next_element()? {
            if read.len() == LONGEST_LIST {
                return Err(A::Error::invalid_length(LONGEST_LIST + 1, &self));
            }
            read.push(element);
        }
        Ok(Some(read))
    }
}
