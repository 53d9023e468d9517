//! The agent: puts a call into a request of its model's protocol, and gives back an answer or why there is none.
//!
//! Invariant: the key is read when it is first needed, kept, and forgotten when the server refuses it.
//! Absent here: protocols, and everything between request and reply.

use super::{
    Connections, KeyError, KeySource, ListError, Model, ModelError, Price,
    endpoint::Endpoint,
    exchange, family,
    fault::{self, Fault},
    key, prices,
    protocol::{Ask, Form, Protocol, spoken_by},
    reply::Reply,
};
use crate::nonce::nonce;
use futures::FutureExt;
use redraft_engine::{Agent, Answer, AttemptError, BoxFuture, Call, NoAnswer};
use redraft_loop::{Amount, Served, Usage};
use redraft_workflows::Prompt;
use reqwest::{Client, RequestBuilder, Response, Url, header};
use secrecy::{ExposeSecret, SecretString};
use serde_json::value::RawValue;
use std::time::Duration;
use tokio::{sync::Mutex, time::timeout};

/// A model that answers calls.
pub struct LlmAgent {
    model: Model,
    endpoint: Endpoint,
    protocol: &'static dyn Protocol,
    price: Option<Price>,
    connections: Connections,
    key: Mutex<Option<SecretString>>,
}

/// What a protocol and a tool add to a prompt, in tokens; more than any of them is known to.
const OVERHEAD: u64 = 1024;

impl LlmAgent {
    /// An agent for this model. No key is read and nothing is sent.
    ///
    /// # Errors
    /// When the model cannot be asked at all.
    pub fn new(model: Model, connections: &Connections) -> Result<Self, ModelError> {
        model.check()?;
        let endpoint = Endpoint::of(&model)?;
        let price = model.price.or_else(|| prices::known_price(&model, &endpoint));
        let protocol = spoken_by(model.provider);
        let (connections, key) = (connections.clone(), Mutex::new(None));
        Ok(Self { model, endpoint, protocol, price, connections, key })
    }

    /// What its model costs; `None` where that is unknown.
    pub fn price(&self) -> Option<Price> {
        self.price
    }

    /// The family of its model.
    pub fn family(&self) -> String {
        let told = self.model.family.clone();
        told.unwrap_or_else(|| family::family(self.model.provider, &self.model.model))
    }

    /// Whether its key can be read on the way to the server.
    pub fn bares_its_key(&self) -> bool {
        self.model.key.is_some() && !self.endpoint.tls() && !self.endpoint.loopback()
    }

    /// The names of the models that its server has, for this key. Costs nothing. The server has this long to answer;
    /// the key's own source is waited for beside that.
    ///
    /// # Errors
    /// When there is no key, or no list comes.
    pub async fn list_models(&self, patience: Duration) -> Result<Vec<String>, ListError> {
        let key = self.key().await.map_err(ListError::Key)?;
        let listed = timeout(patience, self.listed(key.as_ref())).await;
        listed.map_err(|_| ListError::Late)?.map_err(|fault| ListError::of(fault, key.as_ref()))
    }

    async fn listed(&self, key: Option<&SecretString>) -> Result<Vec<String>, Fault> {
        let (path, query) = self.protocol.models();
        let request = |client: Client, url: Url| client.get(url);
        let mut response = self.send(request, path, query, key).await?;
        response = exchange::accept(response, false).await?;
        self.protocol.model_names(&exchange::document(&mut response).await?)
    }

    async fn reply(&self, call: &Call) -> Result<Answer, AttemptError> {
        let key = self.key().await.map_err(|error| self.attempt(&error.into(), None))?;
        let mut reply = Reply::default();
        let answered = self.ask(&call.prompt, key.as_ref(), &mut reply).await;
        let answered = answered.and_then(|()| reply.answer());
        let (usage, served) = (reply.usage(), reply.served());
        let served = served.map(|served| without_key(served, key.as_ref()));
        let fault = match answered {
            Ok(text) if key.as_ref().is_some_and(|key| text.contains(key.expose_secret())) => {
                Fault::Echo
            }
            Ok(text) => return Ok(Answer { text, usage, cost: self.cost(usage), served }),
            Err(fault) => fault,
        };
        if matches!(&fault, Fault::Refused(refused) if refused.is_about_the_key()) {
            *self.key.lock().await = None;
        }
        let attempt = self.attempt(&fault, key.as_ref());
        let (usage, cost) = match usage {
            Some(_) => (usage, self.cost(usage)),
            None => (attempt.usage, attempt.cost.or(self.cost(None))),
        };
        Err(AttemptError { usage, cost, served, ..attempt })
    }

    /// Asks, and fills the reply as far as it comes.
    async fn ask(
        &self,
        prompt: &Prompt,
        key: Option<&SecretString>,
        reply: &mut Reply,
    ) -> Result<(), Fault> {
        let Letter { path, query, body, form } = self.letter(prompt)?;
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let request = |client: Client, url| {
            client.post(url).header(header::CONTENT_TYPE, "application/json").body(body)
        };
        let response = self.send(request, &path, query, key).await?;
        let id = request_id(&response);
        reply.id.clone_from(&id);
        let mut response = exchange::accept(response, form).await?;
        let read = match self.model.stream {
            true => exchange::stream(&mut response, self.protocol, self.model.silence, reply).await,
            false => exchange::whole(&mut response, self.protocol, reply).await,
        };
        // The id in the headers is the one that support asks for.
        reply.id = id.or(reply.id.take());
        read
    }

    /// Puts a prompt into a request. The text that it is rendered to is gone before the request leaves: many calls
    /// wait at once, and each would hold its prompt once more.
    fn letter(&self, prompt: &Prompt) -> Result<Letter, Fault> {
        let nonce = nonce(prompt).map_err(|error| Fault::Request(error.to_string()))?;
        let rendered = prompt.render(&nonce);
        let schema = self.schema(prompt)?;
        let form = prompt.reply.as_ref().zip(schema.as_deref());
        let ask = Ask {
            model: &self.model,
            system: &rendered.system,
            user: &rendered.user,
            form: form.map(|(form, schema)| Form { name: &form.name, schema }),
        };
        let body = self.protocol.body(&ask).map_err(|error| Fault::Request(error.to_string()))?;
        let (path, query) = (self.protocol.path(&ask), self.protocol.query(&ask));
        Ok(Letter { path, query, body, form: ask.form.is_some() })
    }

    async fn send(
        &self,
        request: impl FnOnce(Client, Url) -> RequestBuilder,
        path: &[&str],
        query: Option<&str>,
        key: Option<&SecretString>,
    ) -> Result<Response, Fault> {
        let client = self.connections.client(&self.endpoint, self.model.connect_timeout);
        let client = client.map_err(Fault::making)?;
        let mut url = self.endpoint.resource(path);
        url.set_query(query);
        let mut request = request(client, url);
        for (name, value) in self.protocol.headers() {
            request = request.header(*name, *value);
        }
        if let Some(key) = key {
            let (name, prefix) = self.protocol.key_header();
            let unsendable = || Fault::Request("the key cannot be sent".into());
            request = request.header(name, key::header(prefix, key).ok_or_else(unsendable)?);
        }
        request.send().await.map_err(|error| Fault::sending(&self.endpoint.server(), error))
    }

    /// The form of the reply, where it is to be sent along.
    fn schema(&self, prompt: &Prompt) -> Result<Option<Box<RawValue>>, Fault> {
        let form = prompt.reply.as_ref().filter(|_| self.model.json_schema);
        let schema = form.map(|form| RawValue::from_string(form.schema.clone())).transpose();
        schema
            .map_err(|error| Fault::Request(format!("the form of the reply is not JSON: {error}")))
    }

    /// The key, read at first use.
    async fn key(&self) -> Result<Option<SecretString>, KeyError> {
        let Some(source) = self.model.key.clone() else { return Ok(None) };
        let mut key = self.key.lock().await;
        if key.is_none() {
            *key = Some(read(source).await?);
        }
        Ok(key.clone())
    }

    /// What these tokens cost. A model that is free costs nothing, whatever it used.
    fn cost(&self, usage: Option<Usage>) -> Option<u64> {
        let price = self.price?;
        if price.is_free() { Some(0) } else { usage.map(|usage| price.of(usage)) }
    }

    fn attempt(&self, fault: &Fault, key: Option<&SecretString>) -> AttemptError {
        fault.attempt(&format!("{} {}", self.model.provider, self.model.model), key)
    }
}

/// A call as it is sent.
struct Letter {
    path: Vec<String>,
    query: Option<&'static str>,
    body: Vec<u8>,
    /// Whether the form of the reply is sent along.
    form: bool,
}

impl Agent for LlmAgent {
    fn answer<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Answer, NoAnswer>> {
        self.reply(call).map(|result| result.map_err(NoAnswer::from)).boxed()
    }

    /// No token is shorter than a byte.
    fn bound(&self, prompt: &Prompt) -> Amount {
        let usage = Usage {
            input_tokens: (prompt.len() as u64).saturating_add(OVERHEAD),
            output_tokens: self.model.max_output_tokens.into(),
        };
        Amount { tokens: usage.tokens(), cost: self.cost(Some(usage)) }
    }
}

/// Reads a key where it may block.
async fn read(source: KeySource) -> Result<SecretString, KeyError> {
    let place = source.place();
    let read = tokio::task::spawn_blocking(move || source.key()).await;
    read.unwrap_or(Err(KeyError::Unusable { place, what: "was not read to its end" }))
}

/// The id that a server gave the request, in the headers that servers use for it.
fn request_id(response: &Response) -> Option<String> {
    let named = |name| response.headers().get(name)?.to_str().ok().map(str::to_owned);
    ["x-request-id", "request-id", "x-litellm-call-id"].into_iter().find_map(named)
}

/// A server may send back anything.
fn without_key(served: Served, key: Option<&SecretString>) -> Served {
    let clean = |text: Option<String>| text.map(|text| fault::clean(&text, key));
    Served {
        model: clean(served.model),
        request: clean(served.request),
        finish: clean(served.finish),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::llm::Provider;
    use redraft_workflows::Part;

    pub(in super::super) fn model(provider: Provider, name: &str) -> Model {
        Model {
            provider,
            model: name.into(),
            family: None,
            base_url: None,
            key: None,
            temperature: None,
            max_output_tokens: 1_000,
            stream: false,
            json_schema: true,
            price: None,
            connect_timeout: Duration::from_secs(5),
            silence: Duration::from_secs(5),
        }
    }

    fn agent(model: Model) -> LlmAgent {
        LlmAgent::new(model, &Connections::new()).unwrap()
    }

    fn prompt(text: &str) -> Prompt {
        Prompt {
            instructions: "Review.".into(),
            parts: vec![Part { name: "candidate".into(), text: text.into() }],
            ..Prompt::default()
        }
    }

    #[test]
    fn a_call_is_bounded_by_the_bytes_of_its_prompt_and_the_longest_reply() {
        let price = Price { input: 2_000_000, output: 8_000_000, long: None };
        let asked = prompt(&"x".repeat(10_000));
        let agent = agent(Model { price: Some(price), ..model(Provider::OpenAi, "any") });
        let input = asked.len() as u64 + OVERHEAD;
        let bound = agent.bound(&asked);
        assert_eq!(bound.tokens, input + 1_000);
        assert_eq!(bound.cost, Some(input * 2 + 8_000));
    }

    #[test]
    fn a_price_is_known_where_the_provider_itself_serves_the_model() {
        let at = |provider, base: Option<&str>, name: &str| {
            agent(Model { base_url: base.map(str::to_owned), ..model(provider, name) }).price()
        };
        assert!(at(Provider::OpenAi, None, "gpt-4o-mini").is_some());
        assert!(at(Provider::OpenAi, Some("https://api.openai.com/v1"), "gpt-4o-mini").is_some());
        assert_eq!(at(Provider::OpenAi, Some("http://127.0.0.1:4000/v1"), "gpt-4o-mini"), None);
        assert_eq!(at(Provider::Compatible, Some("http://127.0.0.1:4000"), "gpt-4o-mini"), None);
        assert_eq!(at(Provider::OpenAi, None, "gpt-unheard-of"), None);
        assert_eq!(at(Provider::Ollama, None, "llama3"), Some(Price::FREE));
        assert_eq!(at(Provider::Ollama, Some("http://10.1.1.1:11434"), "llama3"), None);
        assert_eq!(at(Provider::Ollama, None, "gpt-oss:120b-cloud"), None);
    }

    #[test]
    fn what_cannot_be_asked_is_refused_at_once() {
        let refused = |model| LlmAgent::new(model, &Connections::new()).err().unwrap();
        let good = || model(Provider::OpenAi, "m");
        assert_eq!(refused(model(Provider::OpenAi, " ")), ModelError::NoName(Provider::OpenAi));
        assert!(matches!(
            refused(Model { max_output_tokens: 0, ..good() }),
            ModelError::NoOutput(_)
        ));
        let hot = Model { temperature: Some(f64::NAN), ..good() };
        assert!(matches!(refused(hot), ModelError::Temperature(_)));
    }
}
