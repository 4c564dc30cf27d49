//! What is changed in the text of programs for a GPU between the compilers.
use std::collections::{HashMap, HashSet};
use std::iter;

/// Bitcode as text without the aborts that panics end in: what leads there is taken for impossible. And how many there were.
pub(crate) fn without_traps(text: &str) -> (String, usize) {
    let mut kept = String::with_capacity(text.len());
    let mut count = 0;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let call = line.trim_start();
        let call = call.strip_prefix("tail ").unwrap_or(call);
        let ends = lines.peek().is_some_and(|next| next.trim_start().starts_with("unreachable"));
        if ends && call.starts_with("call void @llvm.trap()") {
            count += 1;
        } else {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    (kept, count)
}

/// PTX with names that depend neither on where the repository lies nor on what else is in it: without the hashes of crates, and with numbers
/// in the order in which names come. So modules that a change does not touch stay as they are.
pub(crate) fn stable_names(ptx: &str) -> String {
    let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut names: HashMap<&str, String> = HashMap::new();
    let mut given = HashSet::new();
    let mut out = String::with_capacity(ptx.len());
    let mut rest = ptx;
    while let Some(start) = rest.find(in_name) {
        out.push_str(&rest[..start]);
        let tail = &rest[start..];
        let (name, after) = tail.split_at(tail.find(|c| !in_name(c)).unwrap_or(tail.len()));
        rest = after;
        if !["_R", "anon_$_", "switch_$_table_$_"].iter().any(|start| name.starts_with(start)) {
            out.push_str(name);
            continue;
        }
        let stable = names.entry(name).or_insert_with(|| {
            let new = without_numbers(name);
            // two names never become one
            let others = (2..).map(|number| format!("{new}_{number}"));
            let mut free =
                iter::once(new.clone()).chain(others).filter(|name| given.insert(name.clone()));
            free.next().unwrap_or_default()
        });
        out.push_str(stable);
    }
    out.push_str(rest);
    out
}

/// A name without the hashes of crates in it (`Cs`, letters and digits, `_`) and without the number that tells it apart at the end.
fn without_numbers(name: &str) -> String {
    if name.starts_with("anon_$_") {
        return "anon".to_owned();
    }
    let mut out = String::new();
    let mut rest = name;
    while let Some(place) = rest.find("Cs") {
        let (head, tail) = rest.split_at(place + 1);
        out.push_str(head);
        let length = tail.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(tail.len());
        // shorter ones are parts of names
        let is_hash = (9..=14).contains(&length) && tail[length..].starts_with('_');
        rest = if is_hash { &tail[length + 1..] } else { tail };
    }
    out.push_str(rest);
    let digits = |c: char| c.is_ascii_digit();
    match out.rsplit_once("_param_") {
        Some((function, number)) => format!("{}_param_{number}", function.trim_end_matches(digits)),
        None => out.trim_end_matches(digits).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aborts_of_panics_vanish() {
        let text = "f:\n  tail call void @llvm.trap() #3\n  unreachable\n  call void @llvm.trap()\n  ret void\n";
        let (without, count) = without_traps(text);
        assert_eq!(without, "f:\n  unreachable\n  call void @llvm.trap()\n  ret void\n");
        assert_eq!(count, 1);
    }

    #[test]
    fn names_depend_on_nothing_else() {
        let ptx = "call _RNvCs9CnEFgiTLW9_4libm3sin137, (%rd1, anon_$_ab_$_7, anon_$_ab_$_3);\n\
                   mov anon_$_ab_$_7, _RNvCsPart_1f, begin, _RNvCs9CnEFgiTLW9_4libm3sin137_param_0;";
        let wanted = "call _RNvC4libm3sin, (%rd1, anon, anon_2);\n\
                      mov anon, _RNvCsPart_1f, begin, _RNvC4libm3sin_param_0;";
        assert_eq!(stable_names(ptx), wanted);
        let two =
            "_RNvCs9CnEFgiTLW9_1f1 _RNvCs9f7LIiIcH7w_1f switch_$_table_$__RNvCs9f7LIiIcH7w_1f7";
        assert_eq!(stable_names(two), "_RNvC1f _RNvC1f_2 switch_$_table_$__RNvC1f");
    }
}
