//! What is asked, out of arguments, files and stdin.
//!
//! Invariant: what cannot be asked is refused before anything is made, with the file it stands in.
//! Absent here: which run it becomes.

use super::Args;
use crate::{
    commands::{
        given::{given, given_or_stdin},
        review::planning,
    },
    config::{Config, SolverFlags},
    exit::{Code, Failure},
    say,
    solve::Question,
};
use redraft_server::MAX_CONSTRAINTS;
use redraft_workflows::solve::{Request, normalize};
use serde_json::Value;
use std::path::Path;

/// The question of a command.
pub(super) fn question(args: &Args, config: &Config) -> Result<Question, Failure> {
    let prompt = args.prompt.as_deref().unwrap_or_default();
    let request = Request {
        prompt: given_or_stdin("the question", prompt)?,
        constraints: counted(&args.constraints)?.to_vec(),
        output_format: args.output_format.clone(),
        context: args.context.as_deref().map(context).transpose()?,
    };
    let refused = |error: &dyn std::error::Error| Failure::of(Code::Usage, error);
    let problem = normalize(&request).map_err(|error| refused(&error))?;
    let plain = |name: &String| planning::plain(config, name);
    let SolverFlags { planner, generator, critic } = &args.solvers;
    let said = SolverFlags {
        planner: planner.as_ref().map(plain),
        generator: generator.as_ref().map(plain),
        critic: critic.iter().map(plain).collect(),
    };
    Ok(Question { request, problem, footer: !args.no_footer, said })
}

/// As many constraints as the server takes.
fn counted(constraints: &[String]) -> Result<&[String], Failure> {
    if constraints.len() > MAX_CONSTRAINTS {
        return Err(Failure::usage(format!(
            "a question has at most {MAX_CONSTRAINTS} constraints"
        )));
    }
    Ok(constraints)
}

fn context(text_or_file: &str) -> Result<Value, Failure> {
    // Longer texts are nobody's file.
    if text_or_file.len() < 256 && Path::new(text_or_file).is_file() {
        say::err(&format!(
            "warning: --context: {text_or_file} is a file here, but the context is its name; --context @{text_or_file} reads it"
        ));
    }
    given("--context", text_or_file).map(as_context)
}

/// An object where it is one; any other text is a text.
fn as_context(text: String) -> Value {
    match serde_json::from_str(&text) {
        Ok(object @ Value::Object(_)) => object,
        Ok(_) | Err(_) => Value::String(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_constraints_are_taken_as_by_the_server() {
        let all = vec![String::new(); MAX_CONSTRAINTS + 1];
        assert_eq!(counted(&all[1..]).unwrap().len(), MAX_CONSTRAINTS);
        let refused = counted(&all).unwrap_err();
        assert_eq!(refused.code, Code::Usage);
        assert!(refused.message.contains("at most 100000 constraints"), "{}", refused.message);
    }
}
