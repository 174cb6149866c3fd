// SPDX-License-Identifier: Apache-2.0
//! A start for an implementation in Rust, standard library only: answers hello and `unsupported`.
//!
//!     rustc -O -o impl impl.rs
//!     assay certify --exec ./impl
//!
//! The request line starts with {"id":N,"op":"NAME" in that order; for the rest of it add a JSON parser (serde_json).
//! List an op in the hello's "ops" and it is asked for. Print nothing else on standard output.

use std::io::{self, BufRead, Write};

/// The number and the op of a request line.
fn head(line: &str) -> Option<(u64, &str)> {
    let rest = line.strip_prefix("{\"id\":")?;
    let (id, rest) = rest.split_once(',')?;
    let rest = rest.strip_prefix("\"op\":\"")?;
    let (op, _) = rest.split_once('"')?;
    Some((id.parse().ok()?, op))
}

fn respond(id: u64, op: &str) -> String {
    match op {
        "hello" => format!(
            "{{\"id\":{id},\"protocol\":1,\"name\":\"template-rust\",\"version\":\"0\",\"ops\":[]}}"
        ),
        _ => format!("{{\"id\":{id},\"status\":\"unsupported\"}}"),
    }
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        match head(&line) {
            Some((id, op)) => {
                writeln!(out, "{}", respond(id, op))?;
                out.flush()?; // each answer at once: the runner waits for it
            }
            None => eprintln!("no request: {}", line.chars().take(80).collect::<String>()),
        }
    }
    Ok(())
}
