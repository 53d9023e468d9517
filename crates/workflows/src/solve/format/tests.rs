use super::*;
use proptest::prelude::*;

fn problem(prompt: &str, constraint: &str, spec: &str) -> Problem {
    Problem {
        problem_statement: prompt.into(),
        constraints: vec![constraint.into()],
        output_spec: spec.into(),
        ..Problem::default()
    }
}

const JSON: &str = r#"{"answer": [42]}"#;
const YAML: &str = "answer:\n  - 42\nnote: fine\n";
const CSV: &str = "name,value\n\"a, b\",1\nc,2";
const XML: &str = "<answer>\n  <n>42</n>\n</answer>";
const TOML: &str = "# sizes\n[answer]\nn = 42\n";
const PROSE: &str = "Forty-two: it is six times seven, as always.\n\n- See the table: there.";

#[test]
fn a_format_that_is_asked_for_in_so_many_words_bears_no_footer_whatever_the_answer() {
    for (spec, constraint) in [
        ("json", ""),
        ("a JSON object", ""),
        ("YAML", ""),
        ("JSON matching this schema: {}", ""),
        (r#"json {"properties": {"text": {}, "or": {}}, "not": {}}"#, ""),
        ("JSON only, no markdown", ""),
        ("JSON without any text around it", ""),
        ("raw JSON (no code fences)", ""),
        ("JSON or YAML", ""),
        ("application/json", ""),
        ("text/csv", ""),
        ("CSV with a header", ""),
        ("an HTML page", ""),
        ("bitte als YAML", ""),
        ("", "Return valid JSON with keys a and b"),
        ("", "as CSV"),
        ("", "No Markdown, only JSON"),
    ] {
        let problem = problem("why?", constraint, spec);
        assert!(!bears_footer(&problem, PROSE), "{spec:?} {constraint:?}");
    }
}

#[test]
fn a_format_that_is_refused_or_stands_for_a_part_leaves_the_footer() {
    for (prompt, spec, constraint) in [
        ("why?", "", ""),
        ("why?", "markdown", ""),
        ("why?", "Markdown with a JSON example", ""),
        ("why?", "text with a YAML block", ""),
        ("why?", "not JSON", ""),
        ("why?", "plain text, without any JSON or YAML", ""),
        ("why?", "text or JSON", ""),
        ("why?", "", "explain JSON"),
        ("why?", "", "do not use JSON"),
        ("Should I use CSV, YAML, TOML, XML or JSON?", "", ""),
    ] {
        let problem = problem(prompt, constraint, spec);
        assert!(bears_footer(&problem, PROSE), "{prompt:?} {spec:?} {constraint:?}");
        assert!(bears_footer(&problem, "Use CSV, it is simpler."), "{prompt:?} {spec:?}");
    }
}

#[test]
fn an_answer_that_is_whole_a_document_never_bears_a_footer() {
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let pages = ["<!DOCTYPE html>\n<html></html>", "<?xml version=\"1.0\"?><a/>", "<a b='c'/>"];
    let documents = [JSON, "\u{feff} [1, 2]\n", "{\"a\": 1}\n{\"a\": 2}\n", XML, &deep];
    for document in documents.into_iter().chain(pages) {
        assert!(!bears_footer(&problem("why?", "", ""), document), "{document:.40}");
        assert!(!bears_footer(&problem("why?", "be kind", "markdown"), document), "{document:.40}");
    }
    for text in ["42", "\"yes\"", "true", "[see below", "<b>yes</b>, he said", "{a} or {b}"] {
        assert!(bears_footer(&problem("why?", "", ""), text), "{text:?}");
    }
}

#[test]
fn a_format_that_is_mentioned_counts_where_the_answer_looks_like_it() {
    for (words, answer) in [
        ("Output JSON: {\"answer\": [number]}", "{\"answer\": [42, ]}"),
        ("return only a JSON object", JSON),
        ("List the sizes as YAML please, nested as you like", YAML),
        ("I need it in CSV, one row for each of them", CSV),
        ("I need it in CSV, one row for each of them", "a;b;c"),
        ("Antworte bitte in XML, wenn es geht", XML),
        ("make it TOML, if you can", TOML),
    ] {
        for problem in [problem(words, "", ""), problem("why?", words, ""), problem("x", "", words)]
        {
            assert!(!bears_footer(&problem, answer), "{words:?} {answer:?}");
        }
        assert!(bears_footer(&problem(words, "", ""), PROSE), "{words:?}");
    }
}

#[test]
fn who_asks_for_a_text_gets_a_footer_whatever_else_is_spoken_of() {
    let asked = problem("How do I write it in YAML, CSV or TOML?", "", "markdown");
    for answer in [YAML, CSV, TOML] {
        assert!(bears_footer(&asked, answer), "{answer:?}");
    }
}

#[test]
fn one_fence_around_all_of_a_machine_format_is_taken_off() {
    let fenced = format!("\n```json\n{JSON}\n```\n");
    for problem in [
        problem("why?", "", "json"),
        problem("why?", "Return valid JSON with the key \"answer\"", ""),
        problem("Return only a JSON object, please, with what you know", "", ""),
        problem("why?", "no code fences, no prose", "JSON"),
    ] {
        assert_eq!(unfenced(&problem, &fenced), Some(JSON), "{problem:?}");
    }
    let json = problem("why?", "", "json");
    assert_eq!(unfenced(&json, "~~~~\n[1]\n~~~~"), Some("[1]"));
    assert_eq!(
        unfenced(&json, "```\n{\"a\": }\n```"),
        Some("{\"a\": }"),
        "what is in it is judged"
    );
    for kept in [
        JSON,
        "```python\nprint(1)\n```",
        "Here it is:\n```json\n{}\n```",
        "```json\n{}\n```\nThat is all.",
        "```json\n{}\n```\nor\n```json\n[]\n```",
        "```json\n{}",
        "``` json {} ```",
        "```\n```",
        "```",
    ] {
        assert_eq!(unfenced(&json, kept), None, "{kept:?}");
    }
}

#[test]
fn a_fence_that_is_asked_for_or_is_part_of_a_text_stays() {
    let fenced = format!("```json\n{JSON}\n```");
    for problem in [
        problem("why?", "Give the JSON in a fenced code block", "json"),
        problem("why?", "", "JSON in a code block"),
        problem("why?", "", ""),
        problem("why?", "do not use JSON", ""),
        problem("How does one write it in JSON?", "", "markdown"),
        problem("Show a JSON example", "", ""),
        problem("why?", "", "Markdown with a JSON example"),
    ] {
        assert_eq!(unfenced(&problem, &fenced), None, "{problem:?}");
    }
}

proptest! {
    #[test]
    fn no_text_is_too_strange(
        words in proptest::collection::vec(proptest::sample::select(&[
            "json", "JSON", "not", "text", "/", "csv", ",", "as", "with", "a", "block", "ü", "\u{0}", "no", ".", "yaml",
        ][..]), 0..12),
        answer in "(?s)(```|~~~|[<>{}\\[\\]:=,;\"\n -]|[a-z]){0,40}|.{0,60}",
    ) {
        let words = words.join(" ");
        let problem = problem(&words, &words, &words);
        bears_footer(&problem, &answer);
        if let Some(inner) = unfenced(&problem, &answer) {
            prop_assert!(answer.contains(inner) && inner.len() + 6 < answer.len());
        }
    }
}
