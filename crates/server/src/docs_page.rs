//! `GET /docs`: the interface as a page, made from `/openapi.json`.
//!
//! Invariant: the page needs nothing beside itself: no script, no other host.
//! Absent here: a console to send requests from.

mod html;

use crate::{api::ProblemBody, app::App, openapi, problem::Kind};
use axum::{
    body::Body,
    extract::State,
    http::{HeaderValue, Response, header},
};
use html::{escaped, prose};
use serde_json::Value;
use std::fmt::Write;

const STYLE: &str = include_str!("docs_page/style.css");

/// Styles in the page itself, and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// Shows this interface as a page.
#[utoipa::path(
    get, path = "/docs", operation_id = "show_docs", tag = "server",
    responses(
        (status = 200, body = String, content_type = "text/html", description = "The page."),
        (status = "default", body = ProblemBody, content_type = "application/problem+json", description = "A problem."),
    ),
)]
pub(crate) async fn page(State(app): State<App>) -> Response<Body> {
    let mut response = Response::new(Body::from(written(&openapi::interface(&app))));
    let headers = response.headers_mut();
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    headers.insert(header::CONTENT_TYPE, kind);
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

/// The page of a document. Writing to a String cannot fail.
fn written(document: &Value) -> String {
    let mut page = String::new();
    let info = &document["info"];
    let (title, about) = (html::text(&info["title"]), html::text(&info["description"]));
    let _ = write!(
        page,
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{0}: HTTP interface</title><style>{STYLE}</style></head><body>\
         <header><h1>{0}</h1><p>{1}</p><p><a href=\"/openapi.json\">openapi.json</a> · \
         <a href=\"#routes\">Routes</a> · <a href=\"#types\">Types</a> · \
         <a href=\"#problems\">Problems</a></p></header><main>",
        escaped(title),
        prose(about),
    );
    page.push_str("<h2 id=\"routes\">Routes</h2>");
    html::members(&document["paths"]).for_each(|(path, item)| route(&mut page, path, item));
    page.push_str("<h2 id=\"types\">Types</h2>");
    let schemas = &document["components"]["schemas"];
    html::members(schemas).for_each(|(name, schema)| kind(&mut page, name, schema));
    problems(&mut page);
    page.push_str("</main></body></html>");
    page
}

fn route(page: &mut String, path: &str, item: &Value) {
    for (method, operation) in html::members(item).filter(|(_, operation)| operation.is_object()) {
        let method = method.to_uppercase();
        let (summary, about) = (&operation["summary"], html::text(&operation["description"]));
        let _ = write!(
            page,
            "<section><h3><code>{method} {}</code></h3><p>{}</p>",
            escaped(path),
            prose(html::text(summary)),
        );
        if !about.is_empty() {
            let _ = write!(page, "<p>{}</p>", prose(about));
        }
        parameters(page, &operation["parameters"]);
        let body = &operation["requestBody"]["content"];
        for (media, content) in html::members(body) {
            let of = html::type_of(&content["schema"]);
            let _ = write!(page, "<p>Body: {of} as <code>{}</code></p>", escaped(media));
        }
        answers(page, &operation["responses"]);
        page.push_str("</section>");
    }
}

fn parameters(page: &mut String, parameters: &Value) {
    let Some(parameters) = parameters.as_array() else { return };
    page.push_str("<table><tr><th>Parameter</th><th>In</th><th>Type</th><th></th></tr>");
    for parameter in parameters {
        let _ = write!(
            page,
            "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(html::text(&parameter["name"])),
            escaped(html::text(&parameter["in"])),
            html::type_of(&parameter["schema"]),
            prose(html::text(&parameter["description"])),
        );
    }
    page.push_str("</table>");
}

fn answers(page: &mut String, responses: &Value) {
    page.push_str("<table><tr><th>Status</th><th>Body</th><th></th></tr>");
    for (status, response) in html::members(responses) {
        let bodies: Vec<String> = html::members(&response["content"])
            .map(|(media, content)| {
                let of = html::type_of(&content["schema"]);
                format!("{of} as <code>{}</code>", escaped(media))
            })
            .collect();
        let _ = write!(
            page,
            "<tr><td><code>{}</code></td><td>{}</td><td>{}</td></tr>",
            escaped(status),
            bodies.join("<br>"),
            prose(html::text(&response["description"])),
        );
    }
    page.push_str("</table>");
}

fn kind(page: &mut String, name: &str, schema: &Value) {
    let about = prose(html::text(&schema["description"]));
    let id = escaped(name);
    let _ = write!(page, "<section id=\"type-{id}\"><h3>{id}</h3><p>{about}</p>");
    let shapes = std::iter::once(schema).chain(schema["oneOf"].as_array().into_iter().flatten());
    for shape in shapes.filter(|shape| shape["properties"].is_object()) {
        fields(page, shape);
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<_> = values
            .iter()
            .map(|value| format!("<code>{}</code>", escaped(&value.to_string())))
            .collect();
        let _ = write!(page, "<p>One of {}</p>", values.join(", "));
    }
    page.push_str("</section>");
}

fn fields(page: &mut String, shape: &Value) {
    let required: Vec<_> = shape["required"].as_array().into_iter().flatten().collect();
    page.push_str("<table><tr><th>Field</th><th>Type</th><th></th><th></th></tr>");
    for (field, of) in html::members(&shape["properties"]) {
        let needed = required.iter().any(|name| name.as_str() == Some(field));
        let _ = write!(
            page,
            "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(field),
            html::type_of(of),
            if needed { "always" } else { "" },
            prose(html::text(&of["description"])),
        );
    }
    page.push_str("</table>");
}

fn problems(page: &mut String) {
    page.push_str(
        "<h2 id=\"problems\">Problems</h2><p>Every error is a document of type \
         <code>application/problem+json</code> (RFC 9457). Its <code>type</code> leads to a line of this table, its \
         <code>code</code> is the command line's exit code.</p>\
         <table><tr><th>Type</th><th>Status</th><th>Code</th><th></th></tr>",
    );
    for kind in Kind::ALL {
        let _ = write!(
            page,
            "<tr id=\"problem-{0}\"><td><code>{0}</code></td><td>{1}</td><td>{2}</td><td>{3}. {4}</td></tr>",
            kind.slug(),
            kind.status(),
            kind.code(),
            escaped(kind.title()),
            prose(kind.about()),
        );
    }
    page.push_str("</table>");
}
