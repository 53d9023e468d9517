//! Constraints as people write them, each with an answer that keeps to it and one that does not, and such as no rule
//! may take for something it can check.

use super::*;
use crate::solve::Problem;

fn problem(constraint: &str) -> Problem {
    Problem {
        problem_statement: "Which store do we use?".into(),
        constraints: vec![constraint.to_owned()],
        output_spec: String::new(),
        context: String::new(),
        assumptions: vec![],
        known_issues: vec![],
    }
}

fn words(number: usize) -> String {
    vec!["word"; number].join(" ")
}

fn sentences(number: usize) -> String {
    vec!["Stores keep things."; number].join(" ")
}

fn paragraphs(number: usize) -> String {
    vec!["Stores keep things."; number].join("\n\n")
}

fn bullets(number: usize) -> String {
    vec!["- one thing"; number].join("\n")
}

fn kept(rows: &[(&str, String, String)]) {
    for (constraint, good, bad) in rows {
        let told = breaches(&problem(constraint), good);
        assert_eq!(told, [], "{constraint:?} is kept by {good:?}");
        let told = breaches(&problem(constraint), bad);
        assert_eq!(told.len(), 1, "{constraint:?} is broken once by {bad:?}: {told:?}");
        assert_eq!(told[0].constraint, *constraint);
        assert!(!told[0].what.is_empty() && !told[0].fix.is_empty());
    }
}

fn texts(rows: &[(&'static str, &str, &str)]) -> Vec<(&'static str, String, String)> {
    rows.iter()
        .map(|(constraint, good, bad)| (*constraint, (*good).into(), (*bad).into()))
        .collect()
}

#[test]
fn lengths_of_every_kind_are_measured() {
    kept(&[
        ("at most 50 words", words(50), words(51)),
        ("At most fifty-one words, please: max. 50 words.", words(50), words(51)),
        ("Keep it under 100 words.", words(99), words(100)),
        ("Fewer than 10 words", words(9), words(10)),
        ("no more than 1,000 words", words(1000), words(1001)),
        ("The answer must not exceed 20 words.", words(20), words(21)),
        ("Your response should be at least 30 words long", words(30), words(29)),
        ("more than 30 words", words(31), words(30)),
        ("exactly 12 words", words(12), words(13)),
        ("Exactly twelve words", words(12), words(11)),
        ("between 50 and 100 words", words(75), words(101)),
        ("50-100 words", words(50), words(49)),
        ("from 5 to 8 words", words(8), words(9)),
        ("20 words or less", words(20), words(21)),
        ("20 words or fewer", words(3), words(21)),
        ("20 words or more", words(20), words(19)),
        ("20 words max", words(20), words(21)),
        ("a maximum of 15 words in total", words(15), words(16)),
        ("Limit the answer to at most 15 words", words(15), words(16)),
        ("≤ 15 words", words(15), words(16)),
        (">= 15 words", words(15), words(14)),
        ("< 15 words", words(14), words(15)),
        ("höchstens 50 Wörter", words(50), words(51)),
        ("Mindestens zehn Wörter", words(10), words(9)),
        ("Die Antwort soll maximal 20 Wörter lang sein.", words(20), words(21)),
        ("zwischen 5 und 8 Wörtern", words(6), words(9)),
        ("nicht mehr als 280 Zeichen", "x".repeat(280), "x".repeat(281)),
        ("at most 280 characters", "é".repeat(280), "x".repeat(281)),
        ("under 10 chars", "x".repeat(9), "x".repeat(10)),
        ("at least 40 characters", "x".repeat(40), "x".repeat(39)),
        ("in at most three sentences", sentences(3), sentences(4)),
        ("Use exactly 2 sentences", sentences(2), sentences(3)),
        ("Answer in one sentence.", sentences(1), sentences(2)),
        ("at least five sentences", sentences(5), sentences(4)),
        ("Höchstens drei Sätze", sentences(3), sentences(4)),
        ("in two paragraphs", paragraphs(2), paragraphs(3)),
        ("no more than 2 paragraphs", paragraphs(2), paragraphs(3)),
        ("at least 3 paragraphs", paragraphs(3), paragraphs(2)),
        ("Genau zwei Absätze", paragraphs(2), paragraphs(1)),
        ("at most 4 lines", "a\nb\nc\nd".into(), "a\nb\nc\nd\ne".into()),
        ("exactly 3 bullet points", bullets(3), bullets(4)),
        ("3 bullet points", bullets(3), bullets(2)),
        ("at most five bullets", bullets(5), bullets(6)),
        ("Give at least 2 list items", bullets(2), bullets(1)),
        ("at most 3 items", words(9), bullets(4)),
        ("höchstens 3 Stichpunkte", bullets(3), bullets(4)),
        ("at most 2 sentences and at most 9 words", sentences(2), words(10)),
        ("friendly tone, at most 50 words", words(50), words(51)),
    ]);
}

#[test]
fn phrases_are_looked_for() {
    kept(&texts(&[
        ("must include \"write-ahead log\"", "A **write-ahead** log.", "A log."),
        ("must mention 'SQLite'", "sqlite will do", "a file will do"),
        ("The answer must contain “Fazit”.", "Fazit: ja", "Ergebnis: ja"),
        ("Must mention \"A\", \"B\" and \"C\"", "A B C", "A B"),
        ("Mention GDPR", "The GDPR holds.", "The law holds."),
        (
            "Include the phrase \"no warranty\" and the word \"risk\"",
            "No warranty, a risk.",
            "No warranty.",
        ),
        ("Use the word Backup", "Make a backup.", "Make a copy."),
        ("muss „Datenschutz“ enthalten", "Datenschutz zuerst", "Erst einmal nichts"),
        ("Erwähne „SQLite“", "SQLite", "Postgres"),
        ("\"SQLite\" must appear", "SQLite", "Postgres"),
        ("do not mention \"Oracle\"", "Postgres, for oracles", "Use Oracle"),
        ("Don't use the word \"utilize\"", "We use it, utilized or not.", "We utilize it."),
        ("don’t use 'very'", "every store", "a very good store"),
        ("avoid \"leverage\" and \"synergy\"", "good", "we leverage"),
        ("without the word \"just\"", "adjust it", "just do it"),
        ("Do not mention AcmeDB", "SQLite", "AcmeDB"),
        ("verwende nicht „man“", "jemand, manchmal", "man nimmt"),
        ("ohne das Wort „sehr“", "gut", "sehr gut"),
        ("The word \"cheap\" must not appear.", "cheaper", "it is cheap"),
        ("starts with \"Short answer:\"", "**Short answer:** yes", "Yes."),
        ("Begin with 'Dear team'", "Dear team, hello", "Hello"),
        ("End with \"Good luck!\"", "Do it. Good luck!", "Do it."),
        ("End with \"Good luck!\" and use no headings", "Do it. Good luck!", "Do it."),
        ("End with \"Good luck!\", in one paragraph", "Do it. Good luck!", "Do it."),
        ("endet mit „Viel Erfolg“", "Los. Viel Erfolg.", "Los."),
    ]));
}

#[test]
fn formats_and_sections_are_looked_for() {
    kept(&texts(&[
        ("valid JSON", "{\"a\": 1}", "a: 1"),
        ("Return JSON only", "[1]", "```json\n[1]\n```"),
        ("JSON with keys a and b", "{\"a\": 1, \"b\": 2}", "{\"a\": 1}"),
        (
            "Valid JSON object with the keys \"name\", \"age\"",
            "{\"name\": 1, \"age\": 2, \"x\": 3}",
            "{\"age\": 1}",
        ),
        (
            "JSON with exactly the keys a, b",
            "{\"a\": 1, \"b\": 2}",
            "{\"a\": 1, \"b\": 2, \"c\": 3}",
        ),
        ("Antworte als JSON mit den Schlüsseln a und b", "[{\"a\": 1, \"b\": 2}]", "[{\"a\": 1}]"),
        ("as a bullet list", "- a\n- b", "a and b"),
        ("Use bullet points", "* a\n* b", "a and b"),
        ("als Stichpunkte", "• a\n• b", "a und b"),
        ("as a numbered list", "1. a\n2. b", "- a\n- b"),
        ("in a Markdown table", "| a |\n|---|\n| b |", "a, b"),
        ("Present it as a table", "| a |\n|---|\n| b |", "a, b"),
        ("plain text", "2 * 3 - 1", "**bold** and # all"),
        ("no Markdown", "a - b", "# Title\n\ntext"),
        ("no headings", "#hashtag\ntext", "## Title\ntext"),
        ("do not use bullet points", "a - b", "- a\n- b"),
        ("without tables", "a | b", "|a|b|\n|---|---|\n"),
        ("no code blocks", "`x`", "```\nx\n```"),
        ("Include a code block", "```\nx\n```", "x"),
        ("with sections Risks and Costs", "# Risks\nx\n# Costs\ny", "# Risks\nx"),
        (
            "sections: Summary, Open Questions, Next Steps",
            "Summary:\n\n**Open questions**\n\n3. Next steps",
            "Summary:\n\n**Open questions**",
        ),
        ("Include a section titled \"Trade-offs\"", "## 2. Trade-offs\nx", "## Costs\nx"),
        ("headed \"Decision\"", "Decision\n\nyes", "yes"),
        ("mit den Abschnitten Lage und Rat", "## Lage\n\n## Rat", "## Lage\n\n## Tat"),
    ]));
}

const ENGLISH: &str = "We keep every fact of a run in one journal, because a machine that stops in the middle has to \
    know afterwards what it has already done, what it has paid for, and which of its questions are still open.";
const GERMAN: &str = "Wir halten jede Tatsache eines Laufs in einem Tagebuch fest, weil eine Maschine, die mitten in \
    der Arbeit stehen bleibt, danach wissen muss, was sie schon getan hat und welche Fragen noch offen sind.";
const FRENCH: &str = "Nous gardons chaque fait dans un seul journal, parce qu'une machine qui s'arrête au milieu du \
    travail doit savoir ensuite ce qu'elle a déjà fait, ce qu'elle a payé et quelles questions restent ouvertes.";

#[test]
fn languages_are_told_apart_where_the_answer_is_long_enough() {
    kept(&texts(&[
        ("in German", GERMAN, ENGLISH),
        ("Answer in English only.", ENGLISH, GERMAN),
        ("auf Deutsch", GERMAN, FRENCH),
        ("Write in French", FRENCH, GERMAN),
        ("in deutscher Sprache", GERMAN, ENGLISH),
        ("language: Spanish", "Sí.", ENGLISH),
    ]));
    assert_eq!(breaches(&problem("in German"), "Yes, of course."), []);
    let code = format!("```\n{ENGLISH}\n```");
    assert_eq!(breaches(&problem("in German"), &code), []);
}

/// Each with an answer that a careless rule would find wanting.
const LEFT_ALONE: [&str; 62] = [
    "at most 50 words per paragraph",
    "each bullet point at most 3 words",
    "about 50 words",
    "around 5 sentences",
    "50 words",
    "ideally at most 3 words",
    "The title must have at most 2 words",
    "at most 2 words in the first sentence",
    "If the context is short, at most 3 words",
    "at most 3 words, unless more are needed",
    "5 paragraphs of at most 3 words",
    "at most 1 word or 2",
    "at most 2 seconds of downtime",
    "at least 3 nines of availability",
    "a budget of at most 5 words is not enough",
    "not exactly 3 words",
    "use at most 3 lines of code",
    "fewer than 10 requests per minute",
    "must support at least 1,000 users",
    "must include at least three examples",
    "mention pricing",
    "must mention the risks",
    "must include \"zebra\" at least twice",
    "must include \"zebra\" in the first line",
    "must include \"zebra\" or \"lion\"",
    "include \"zebra\" if it helps",
    "do not forget to mention \"zebra\"",
    "Do not only mention \"zebra\"",
    "muss nicht \"zebra\" enthalten",
    "do not use jargon and mention \"zebra\"",
    "use \"we\" instead of \"journal\"",
    "do not mention our customers",
    "do not use AWS",
    "avoid jargon",
    "explain JSON",
    "use JSON for storage",
    "must support JSON",
    "store the results as JSON in the database",
    "either JSON or YAML",
    "explain how a Markdown table is parsed",
    "the user enters a numbered list of steps",
    "sections should be short",
    "with sections for each team",
    "available in German shops",
    "quote the law in German",
    "keep proper names in French",
    "be friendly",
    "friendly, but firm",
    "start with a summary",
    "start each line with \"zebra\"",
    "end with a question",
    "must include \"unclosed",
    "exactly one sentence must mention \"zebra\"",
    "do not mention \"journal\" without \"zebra\"",
    "no list longer than 5 items",
    "include the word count",
    "use the word sparingly",
    "text must be in German and English",
    "spread over 3 lines",
    "",
    "\u{202e}\u{0}🦓",
    "The system must be fast and must not lose facts",
];

#[test]
fn what_is_not_understood_to_the_word_is_left_alone() {
    let read = LEFT_ALONE.map(|constraint| (constraint, reading::checks(constraint)));
    let read: Vec<_> = read.into_iter().filter(|(_, checks)| !checks.is_empty()).collect();
    assert_eq!(read, []);
    for constraint in LEFT_ALONE {
        assert_eq!(breaches(&problem(constraint), ENGLISH), [], "{constraint:?}");
    }
}

#[test]
fn a_limit_that_may_be_meant_for_each_item_is_left_alone_and_the_items_are_counted() {
    let words_alone = breaches(&problem("3 bullet points, at most 2 words"), &bullets(3));
    assert_eq!(words_alone, []);
}

#[test]
fn the_output_format_is_read_like_a_constraint_and_a_repeated_one_is_told_once() {
    let asked = Problem { output_spec: "json".into(), ..problem("at most 3 words") };
    let told: Vec<_> =
        breaches(&asked, "one two three four").into_iter().map(|b| b.constraint).collect();
    assert_eq!(told, ["at most 3 words", "json"]);
    let twice = Problem { constraints: vec!["no headings".into(); 3], ..problem("") };
    assert_eq!(breaches(&twice, "# a").len(), 1);
}
