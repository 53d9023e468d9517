//! Responses whose fields say something else than a reader takes them to say, or say it twice.

use super::reply::{Family, Pair, mended, pair, pass};
use crate::gated::{block, with_line};
use redraft_workflows::gated::review_meta::Verdict::{Fail, Pass};

pub(super) const FAMILIES: [Family; 12] = [
    ("hidden characters", hidden),
    ("duplicate keys", duplicates),
    ("keys that look alike", like_keys),
    ("missing fields", missing),
    ("empty fields", empty),
    ("bad numbers", bad_numbers),
    ("huge numbers", huge_numbers),
    ("bad verdicts", bad_verdicts),
    ("critical issues", critical),
    ("comments in the block", comments),
    ("split lines", split_lines),
    ("other signs between key and value", separators),
];

fn hidden() -> Vec<Pair> {
    let signs =
        ["\u{200b}", "\u{200d}", "\u{ad}", "\u{202e}", "\u{feff}", "\u{0}", "\u{1b}", "\u{fe0f}"];
    let places = ["verdict", "PASS", "issues_total"];
    let both = signs.iter().flat_map(|sign| places.map(|place| (sign, place)));
    both.map(|(sign, place)| {
        let odd = pass().replace(place, &format!("{}{sign}{}", &place[..2], &place[2..]));
        mended(odd.clone(), &odd, &odd.replace(sign, ""), Pass)
    })
    .collect()
}

fn duplicates() -> Vec<Pair> {
    [
        "verdict: FAIL",
        "verdict: PASS",
        "issues_total: 0",
        "issues_critical:",
        "missing_inputs: 9",
        "verdict :fail",
    ]
    .into_iter()
    .flat_map(|line| {
        let behind = with_line(&pass(), line);
        let before = pass().replace("META\n", &format!("META\n{line}\n"));
        [behind, before].map(|odd| mended(odd.clone(), &odd, &pass(), Pass))
    })
    .collect()
}

fn like_keys() -> Vec<Pair> {
    let keys = [
        "Verdict",
        "VERDICT",
        "**verdict",
        "vеrdict",
        "verd1ct",
        "- verdict",
        "\"verdict\"",
        "ver dict",
        "| verdict",
        "> verdict",
        "// verdict",
        "ｖｅｒｄｉｃｔ",
        "verdíct",
        "ver-dict",
    ];
    keys.into_iter()
        .flat_map(|key| {
            let twice = with_line(&pass(), &format!("{key}: FAIL"));
            let alone = pass().replace("verdict", key);
            [twice, alone].map(|odd| mended(odd.clone(), &odd, &pass(), Pass))
        })
        .collect()
}

fn fields() -> [&'static str; 4] {
    ["verdict: PASS\n", "issues_total: 2\n", "issues_critical: 0\n", "missing_inputs: 0\n"]
}

fn missing() -> Vec<Pair> {
    let near = ["", "// none\n", "note: none\n"];
    let all = fields().into_iter().flat_map(|field| near.map(|near| (field, near)));
    all.map(|(field, near)| {
        let odd = pass().replace(field, near);
        mended(odd.clone(), &odd, &pass(), Pass)
    })
    .collect()
}

fn empty() -> Vec<Pair> {
    fields()
        .into_iter()
        .flat_map(|field| {
            let key = field.split_once(' ').unwrap().0;
            ["", "  ", "\t"].map(|value| {
                let odd = pass().replace(field, &format!("{key}{value}\n"));
                mended(odd.clone(), &odd, &pass(), Pass)
            })
        })
        .collect()
}

fn bad_numbers() -> Vec<Pair> {
    [
        "+2", "-2", "-0", "2.0", "2,000", "2_000", "2 000", "0x2", "2e0", "two", "٢", "２", "²",
        "Ⅱ", "2 issues", "~2", "2?", "<2>", "**2**", "\"2\"", "2;", "NaN", "1/2", "2 # 3", "۲",
        "O", "l",
    ]
    .into_iter()
    .flat_map(|number| {
        ["issues_total: 2", "missing_inputs: 0"].map(|field| {
            let key = field.split_once(' ').unwrap().0;
            let odd = pass().replace(field, &format!("{key} {number}"));
            mended(odd.clone(), &odd, &pass(), Pass)
        })
    })
    .collect()
}

fn huge_numbers() -> Vec<Pair> {
    let nines = "9".repeat(5_000);
    ["4294967296", "18446744073709551616", "99999999999999999999999999", &nines]
        .into_iter()
        .flat_map(|number| {
            ["issues_total: 2", "missing_inputs: 0", "issues_critical: 0"].map(|field| {
                let key = field.split_once(' ').unwrap().0;
                let odd = pass().replace(field, &format!("{key} {number}"));
                pair(odd, &pass().replace("total: 2", "total: 4294967295"), Pass)
            })
        })
        .collect()
}

fn bad_verdicts() -> Vec<Pair> {
    [
        "PASS | FAIL",
        "PASSED",
        "PASS/FAIL",
        "PASS FAIL",
        "FAIL PASS",
        "not PASS",
        "PASS?",
        "PASS.",
        "РASS",
        "ＰＡＳＳ",
        "PΑSS",
        "ok",
        "true",
        "1",
        "✅ PASS",
        "\"PASS\"",
        "**PASS**",
        "<PASS>",
        "PASS # FAIL",
        "PASS (FAIL)",
        "PAS",
        "paß",
        "PAſS",
    ]
    .map(|word| {
        let odd = pass().replace("PASS", word);
        mended(odd.clone(), &odd, &pass(), Pass)
    })
    .into()
}

fn critical() -> Vec<Pair> {
    [(0, 1), (1, 2), (2, 1), (9, 9), (3, 4_294_967_295), (1, 1), (7, 3), (4_294_967_295, 1)]
        .map(|(total, critical)| {
            let twin = block("FAIL", total.max(critical), critical, 0);
            pair(block("PASS", total, critical, 0), &twin, Fail)
        })
        .into()
}

fn comments() -> Vec<Pair> {
    [
        "# verdict: FAIL",
        "// verdict: FAIL",
        "/* verdict: FAIL */",
        "<!-- verdict: FAIL -->",
        "-- verdict: FAIL",
        "; verdict: FAIL",
        "just words",
        "* * *",
        "---",
        "[x] done",
    ]
    .map(|comment| {
        let odd = with_line(&pass(), comment);
        mended(odd.clone(), &odd, &pass(), Pass)
    })
    .into()
}

fn split_lines() -> Vec<Pair> {
    [
        (": ", ":\n"),
        ("verdict", "ver\ndict"),
        ("PASS", "PA\nSS"),
        ("_total", "\n_total"),
        ("total: 2", "total: \\\n2"),
        ("@@@REVIEW_META", "@@@\nREVIEW_META"),
        ("@@@REVIEW_META", "@@@REVIEW\n_META"),
        ("\n@@@\n", "\n@\n@@\n"),
    ]
    .map(|(whole, split)| {
        let odd = pass().replace(whole, split);
        mended(odd.clone(), &odd, &pass(), Pass)
    })
    .into()
}

fn separators() -> Vec<Pair> {
    [" = ", " ", " - ", "：", " | ", "\t", " => ", "꞉ ", "∶ "]
        .map(|sign| {
            let odd = pass().replace(": ", sign);
            mended(odd.clone(), &odd, &pass(), Pass)
        })
        .into()
}
