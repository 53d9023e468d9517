//! A thousand messages of the pair workflow through validation, beside Ajv: parsing counts, compiling does not.
//!
//! Invariant: ours and Ajv take turns over the same texts; a ratio is taken of neighbours; nothing is measured before
//! both agree on every message, and on every place where one is wrong.
//! Absent here: what a message leads to.

mod ajv;
mod mix;
mod ours;

use crate::{Outcome, disk::Scratch, figures::Series};
use ajv::{Ajv, Greeting, How};
use mix::Sample;
use ours::{Ours, Way};
use std::{fs, time::Instant};

/// Rounds before those that count: node compiles what it runs often.
const WARM_UP: usize = 3;
/// How long one measurement takes at least, in seconds.
const LEAST: f64 = 0.05;

/// Ours, what of Ajv's it stands beside, and what both are called.
const WAYS: [(Way, How, &str); 3] = [
    (Way::YesNo, How::First, "valid or not"),
    (Way::Told, How::All, "all errors"),
    (Way::Read, How::All, "pair::read; all errors"),
];

/// Messages that are measured together.
struct Part {
    name: &'static str,
    texts: Vec<String>,
}

/// `messages AJV PROGRAM ROUNDS`
pub(crate) fn run(words: &[&str]) -> Outcome<bool> {
    let [folder, program, rounds] = words else { return Err("messages AJV PROGRAM ROUNDS".into()) };
    let rounds: usize = rounds.parse()?;
    let samples = mix::mix()?;
    let parts = parts(&samples);
    let ours = Ours::compile(mix::SCHEMA)?;
    let (mut ajv, greeting) = start(program, folder, &parts)?;
    agreed(&samples, &ours, &greeting.places)?;
    println!(
        "{} messages of a pair, parsed and validated; {}, jsonschema {}",
        samples.len(),
        greeting.versions,
        ours::version()?
    );
    println!("both agree on all, and on each place where one is wrong; schemas compiled before");
    println!("ms per 1,000 messages: median (least … most) of {rounds} rounds in turns\n");
    println!("  {:<24} {:<26} {:<26} Ajv ÷ ours", "", "ours", "Ajv");
    for (n, part) in parts.iter().enumerate() {
        println!("{}: {}, {} bytes", part.name, part.texts.len(), bytes(&part.texts));
        measure(part, n, &ours, &mut ajv, rounds)?;
    }
    Ok(true)
}

/// Ajv with the same schema and the same texts. It has read both when it greets.
fn start(program: &str, folder: &str, parts: &[Part]) -> Outcome<(Ajv, Greeting)> {
    let scratch = Scratch::new("messages")?;
    let (schema, texts) = (scratch.path().join("schema.json"), scratch.path().join("parts.json"));
    fs::write(&schema, mix::SCHEMA)?;
    let all: Vec<&Vec<String>> = parts.iter().map(|part| &part.texts).collect();
    fs::write(&texts, serde_json::to_string(&all)?)?;
    Ajv::start(program, folder, &schema, &texts)
}

/// All of them, and what they consist of.
fn parts(samples: &[Sample]) -> Vec<Part> {
    let part = |name, holds: &dyn Fn(&Sample) -> bool| {
        let texts = samples.iter().filter(|sample| holds(sample));
        Part { name, texts: texts.map(|sample| sample.text.clone()).collect() }
    };
    vec![
        part("all", &|_| true),
        part("valid, the long diff aside", &|sample| sample.places.is_empty() && !sample.is_long),
        part("invalid", &|sample| !sample.places.is_empty()),
        part("the long diff", &|sample| sample.is_long),
    ]
}

fn bytes(texts: &[String]) -> usize {
    texts.iter().map(String::len).sum()
}

/// Whether a message is valid, and where it is not, is one question with one answer.
fn agreed(samples: &[Sample], ours: &Ours, theirs: &[Vec<String>]) -> Outcome<()> {
    if theirs.len() != samples.len() {
        return Err(format!("Ajv judged {} of {} messages", theirs.len(), samples.len()).into());
    }
    for (sample, theirs) in samples.iter().zip(theirs) {
        let (bare, read) = (ours.places(&sample.text)?, ours.is_read(&sample.text));
        let valid = sample.places.is_empty();
        if *theirs != sample.places || bare != sample.places || read != valid {
            let start: String = sample.text.chars().take(300).collect();
            let wanted = &sample.places;
            return Err(format!(
                "no agreement on {start}\nwrong places: {wanted:?}; Ajv says {theirs:?}, jsonschema {bare:?}, \
                 and it is {}",
                if read { "read" } else { "refused" }
            )
            .into());
        }
    }
    Ok(())
}

/// Seconds of each way and of the Ajv beside it, round by round.
fn measure(part: &Part, n: usize, ours: &Ours, ajv: &mut Ajv, rounds: usize) -> Outcome<()> {
    let begun = Instant::now();
    ours.pass(Way::Read, &part.texts)?;
    let passes = 1 + (LEAST / begun.elapsed().as_secs_f64()) as usize;
    let thousands = (passes * part.texts.len()) as f64 / 1000.0;
    for (way, how, name) in WAYS {
        let (mut mine, mut theirs) = (Vec::new(), Vec::new());
        for round in 0..WARM_UP + rounds {
            let begun = Instant::now();
            for _ in 0..passes {
                ours.pass(way, &part.texts)?;
            }
            let took = begun.elapsed().as_secs_f64();
            let peer = ajv.measure(how, n, passes)?;
            if round >= WARM_UP {
                mine.push(took * 1000.0 / thousands);
                theirs.push(peer * 1000.0 / thousands);
            }
        }
        let ratios: Vec<f64> =
            mine.iter().zip(&theirs).map(|(mine, theirs)| theirs / mine).collect();
        let show = |values| Series::new(values).show(2);
        println!("  {name:<24} {:<26} {:<26} {}", show(mine), show(theirs), show(ratios));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_that_differs_is_told_with_its_message() {
        let (samples, ours) = (mix::mix().unwrap(), Ours::compile(mix::SCHEMA).unwrap());
        let same: Vec<Vec<String>> = samples.iter().map(|sample| sample.places.clone()).collect();
        agreed(&samples, &ours, &same).unwrap();
        let mut other = same.clone();
        other[1] = vec!["/turn".to_owned()];
        let error = agreed(&samples, &ours, &other).unwrap_err().to_string();
        assert!(error.contains(r#"Ajv says ["/turn"]"#), "{error}");
        assert!(agreed(&samples, &ours, &same[1..]).is_err());
    }
}
