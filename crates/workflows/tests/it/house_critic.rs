//! Constraints as people write them, which rules can check in part or not at all: no breach is made up.

use redraft_workflows::solve::{Candidate, Request, criticise, normalize};

/// A constraint, and an answer in which nothing that can be measured breaks it.
const UNBROKEN: &[(&str, &str)] = &[
    ("Keep it under 5 minutes of reading time", PLAN),
    ("Budget: at most 3 people and 2 words of advice per risk", PLAN),
    ("The rollout must finish in at most 2 weeks", PLAN),
    ("No more than 3 dependencies", PLAN),
    ("At most two steps may need downtime", PLAN),
    ("Limit each step to 1 sentence where possible", PLAN),
    ("Use at least 2 independent sources for each claim", PLAN),
    ("Give 3 options, each with one sentence on cost", PLAN),
    ("Answer in one paragraph per stakeholder", PLAN),
    ("Max. 2 replicas per region", PLAN),
    ("must not exceed 10 lines of configuration", PLAN),
    ("Write for readers with 5 words of English", PLAN),
    ("Never say anything that a lawyer would call \"advice\"", PLAN),
    ("Do not use the word \"simply\" more than once", "It is simply a copy. Then switch."),
    ("Mention \"rollback\" only if step 3 fails", PLAN),
    ("Include \"SQLite\" or \"Postgres\", whichever you choose", PLAN),
    ("If you mention \"cloud\", explain it", PLAN),
    ("Start with \"Yes\" or \"No\"", "No. The journal cannot be moved in place."),
    ("End with \"Next step:\" and one action", "We copy it.\n\nNext step: book the window."),
    ("End with \"Yours,\", your name and the date", "It moves on Friday.\n\nYours,\nAda, 1 May"),
    ("Ends with \"Done.\" and \"Thanks.\"", "It moves on Friday. Done. Thanks."),
    ("Ende mit \"Gruß\" und deinem Namen", "Am Freitag.\n\nGruß\nAda"),
    ("End with \"Questions?\" followed by two questions", "Questions?\n1. When?\n2. Who?"),
    ("End with a call to action such as \"Write to us\"", PLAN),
    ("Begin with \"Dear\" and the name of the customer", "Dear Ms Grün,\n\nwe move it on Friday."),
    ("Use \"journal\" rather than \"log\"", "The journal moves; what we catalog stays."),
    ("Do not include \"secret\" values in examples", "Put the secret into a file of its own."),
    ("Avoid \"we\" where the team is not meant", PLAN),
    ("Headings only where they help", PLAN),
    ("No headings deeper than level 2", "# Plan\n\n## Steps\n\nCopy, then switch."),
    ("Use a table only for numbers", PLAN),
    ("A table is fine, a bullet list is better", PLAN),
    ("No code blocks longer than 10 lines", "Run it:\n\n```\ncp a b\n```\n"),
    ("Lists must not be nested", "- copy\n- switch"),
    ("No bullet points in the summary", "Summary: it moves.\n\n- copy\n- switch"),
    ("Explain how to parse JSON with the keys \"a\" and \"b\"", PLAN),
    ("The API returns JSON; describe its errors", PLAN),
    ("Compare JSON and YAML for our configuration", PLAN),
    ("Valid JSON examples only", PLAN),
    ("Include one example in JSON", "Like this:\n\n```json\n{\"a\": 1}\n```\n"),
    ("All code must be valid JSON or TOML", PLAN),
    ("Translate the key terms into German", PLAN),
    ("Assume that the reader speaks German", PLAN),
    ("Names of places in French, please", PLAN),
    ("Follow German data protection law", PLAN),
    ("The English version comes first, then the German one", PLAN),
    ("Section \"Risks\" may be left out when there are none", PLAN),
    ("Sections in the order of their urgency", PLAN),
    ("Prefer short sections: Context, Decision", PLAN),
    ("Nicht mehr als 2 Minuten Ausfall", PLAN),
    ("Höchstens 3 Sätze pro Abschnitt", PLAN),
    ("Bitte ohne Fachwörter, soweit es geht", PLAN),
    ("Erwähne Risiken nur, wenn sie wahrscheinlich sind", PLAN),
    ("höchstens 5 Wörter je Überschrift", PLAN),
    ("The first line has at most 5 words", "Move it on Friday.\n\nThen watch it for a day or two."),
    ("Titles of at most 4 words", PLAN),
    ("Code lines of at most 80 characters", PLAN),
    ("passwords need at least 120 characters", PLAN),
    ("Plain text is enough, Markdown is welcome", "**Copy** it, then `switch`.\n\n# Why"),
    ("Do not answer with a question", PLAN),
    ("exactly one recommendation, at least two alternatives", PLAN),
    ("Quote the error message \"disk full\" where it belongs", PLAN),
    ("Say \"I don't know\" if you don't know", PLAN),
    (
        "Don't say \"it depends\" without saying on what",
        "It depends on the load: measure it first.",
    ),
    ("only the plan, no \"nice to have\" items", PLAN),
    ("must contain no more than one \"must\"", "It must be copied first, and then we switch."),
    ("between 2 and 4 weeks, at most 3 engineers", PLAN),
    ("Write in the style of \"The Economist\"", PLAN),
    ("Call it \"Atlas\" internally and never \"the old system\"", PLAN),
    ("Be concise: a reader has 30 seconds", PLAN),
    ("Don't use more than 3 exclamation marks", PLAN),
    ("no lists with more than 7 items", "- copy\n- switch"),
    ("at most 2 sentences on risks", PLAN),
    ("The summary must be at most 10 words", PLAN),
    ("paragraphs of at most 2 sentences", PLAN),
    ("Short paragraphs (max 2 sentences)", PLAN),
    ("Less than 10 words about the team", PLAN),
    ("max. 2 Sätze zu Risiken", PLAN),
    ("Use at most 3 bullet points for risks", PLAN),
    ("exactly 2 sections", PLAN),
    ("two sections at most", PLAN),
    ("three risks", PLAN),
    ("List exactly 3 risks", PLAN),
    ("Give at most one example", PLAN),
    ("should ideally mention \"zebra\"", PLAN),
    ("may mention \"zebra\"", PLAN),
    ("Could you mention \"zebra\"?", PLAN),
    ("You can include \"zebra\"", PLAN),
    ("Try to include \"zebra\"", PLAN),
    ("it would be nice to mention \"zebra\"", PLAN),
    ("mention neither \"disk\" nor \"writer\" in the title", PLAN),
    ("don't begin with \"We\" every time", PLAN),
    ("Don't end with \"thanks\" only", PLAN),
    ("avoid the word \"disk\" in headings", PLAN),
    ("never use \"disk\" as a verb", PLAN),
    ("do not use \"disk\" without explaining it", PLAN),
    ("no \"disk\" in the title", PLAN),
    ("Do not mention \"disk\" in steps", PLAN),
    ("Use \"SQLite\" (not \"sqlite\")", PLAN),
    ("\"disk\" should be avoided if possible", PLAN),
    ("answer in the language of the question, German or English", PLAN),
    ("Write in German if the user is German", PLAN),
    ("use British English", PLAN),
    ("English, but simple", PLAN),
    ("respond in the same language", PLAN),
    ("use no English idioms", PLAN),
    ("no German words", PLAN),
    ("output as JSON lines for the machine part only", PLAN),
    ("the config has to be valid JSON", PLAN),
    ("return codes must be JSON numbers", PLAN),
    ("JSON output should be documented", PLAN),
    ("format dates as YYYY-MM-DD", PLAN),
    ("use JSON-like notation for examples", PLAN),
    ("markdown", PLAN),
    ("in Markdown", PLAN),
    ("no markdown tables wider than 80 columns", PLAN),
    ("a table with at least 3 rows", PLAN),
    ("numbered steps where the order matters, no other lists", PLAN),
    ("use headings, no more than 3 levels", PLAN),
    ("no headings longer than 6 words", PLAN),
    ("code blocks only for commands", PLAN),
    ("plain text explanation of the hashes", PLAN),
    ("with a section on risks", PLAN),
    ("with sections for risks and steps", PLAN),
    ("sections: one per team", PLAN),
    ("include a \"Risks\" heading if there are any", PLAN),
    ("no more than 500 words", PLAN),
    ("at least 20 words", PLAN),
    ("between 20 and 300 words in total", PLAN),
    ("must be in English", PLAN),
    ("must include a numbered list", PLAN),
    ("include a section titled \"Risks\"", PLAN),
    ("Include sections \"Steps\" and \"Risks\"", PLAN),
    ("must mention SQLite", PLAN),
    ("Do not mention \"Oracle\"", PLAN),
    ("use a table", PLAN),
    ("bullets under 5 words", "It takes three steps:\n- copy all\n- compare both\n- switch"),
    ("XML is not an option for the export", PLAN),
    ("CSV import has to keep working", PLAN),
];

const PLAN: &str = "# Moving the journal\n\n\
    We copy the journal to SQLite while the old store stays in use, compare both for a day, and then switch. \
    The copy takes about an hour; readers notice nothing.\n\n\
    ## Steps\n\n\
    1. Copy all runs, oldest first.\n\
    2. Compare counts and hashes of both stores.\n\
    3. Switch readers, then writers, and keep the old store for a week.\n\n\
    ## Risks\n\n\
    - The disk may fill up: watch it, and stop the copy below 10 % free space.\n\
    - A writer may be missed: the old store refuses writes after the switch.\n\n\
    | step | who | hours |\n|---|---|---|\n| copy | ops | 1 |\n| compare | dev | 8 |\n";

fn request(constraint: &str) -> Request {
    Request {
        prompt: "How do we move the journal of our runs to another store?".into(),
        constraints: vec![constraint.into()],
        output_format: None,
        context: None,
    }
}

#[test]
fn no_breach_of_a_constraint_is_made_up() {
    let mut made_up = Vec::new();
    for (constraint, answer) in UNBROKEN {
        let problem = normalize(&request(constraint)).unwrap();
        let draft = Candidate { answer_draft: (*answer).into(), ..Candidate::default() };
        let critique = criticise(&problem, &draft);
        made_up.extend(critique.constraint_violations);
        made_up.extend(critique.issues.into_iter().map(|issue| issue.description));
        made_up.extend(problem.known_issues);
    }
    assert_eq!(made_up, [""; 0]);
}
