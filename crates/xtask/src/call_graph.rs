//! What a compiled program calls, read from its disassembly (x86-64).
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use crate::run::Result;

/// A function of the program.
#[derive(Debug, Default)]
struct Function {
    /// Functions that it calls or ends in.
    calls: BTreeSet<String>,
    /// Bytes of its stack frame, as far as they are taken in one go.
    frame: usize,
    /// Calls through a table of functions, which is how trait objects are called.
    through_tables: usize,
}

/// The functions of a program.
#[derive(Debug)]
pub(crate) struct CallGraph(BTreeMap<String, Function>);

impl CallGraph {
    /// Read the disassembly of a program that is linked to fixed addresses, so that calls name their targets.
    pub(crate) fn read(program: &Path) -> Result<CallGraph> {
        let out = Command::new("objdump")
            .args(["--disassemble", "--demangle", "--no-show-raw-insn"])
            .arg(program)
            .output()?;
        let graph = CallGraph::parse(&String::from_utf8_lossy(&out.stdout));
        if graph.0.is_empty() {
            return Err(format!("no functions in {}", program.display()).into());
        }
        Ok(graph)
    }

    fn parse(text: &str) -> CallGraph {
        let mut functions = BTreeMap::<String, Function>::new();
        let mut name = String::new();
        for line in text.lines() {
            if let Some(label) = line.strip_suffix(">:").and_then(|l| l.split_once(" <")) {
                name = label.1.to_owned();
                functions.entry(name.clone()).or_default();
                continue;
            }
            let Some((_, instruction)) = line.split_once(":\t") else { continue };
            let (operation, operands) =
                instruction.split_once(char::is_whitespace).unwrap_or((instruction, ""));
            let Some(function) = functions.get_mut(&name) else { continue };
            let operands = operands.trim();
            match operation {
                "sub" => {
                    let bytes = operands.strip_prefix("$0x").and_then(|o| o.split_once(",%rsp"));
                    let bytes = bytes.and_then(|(n, _)| usize::from_str_radix(n, 16).ok());
                    function.frame = function.frame.max(bytes.unwrap_or(0));
                }
                // an address in a register and a displacement; the C library is called through `%rip`
                "call" if operands.starts_with("*0x") && !operands.contains("(%rip)") => {
                    function.through_tables += 1;
                }
                "call" | "jmp" => {
                    // a jump into the function itself names a distance from its beginning
                    let target = operands.split_once(" <").and_then(|(_, t)| t.strip_suffix('>'));
                    // and one to its first instruction is a loop
                    let is_loop = |t: &str| operation == "jmp" && t == name;
                    let called = target.filter(|t| !t.contains("+0x") && !is_loop(t));
                    function.calls.extend(called.map(String::from));
                }
                _ => {}
            }
        }
        CallGraph(functions)
    }

    /// The functions that can run once `root` runs, callees before their callers; an error that names a circle where there is one.
    fn reachable<'a>(&'a self, root: &'a str) -> Result<Vec<&'a str>> {
        let mut done = Vec::new();
        // functions on the way from the root, each with those that are still to be visited
        let mut path = vec![(root, self.callees(root))];
        while let Some((name, callees)) = path.last_mut() {
            let Some(next) = callees.pop() else {
                done.push(*name);
                path.pop();
                continue;
            };
            if let Some(first) = path.iter().position(|(name, _)| *name == next) {
                let circle: Vec<&str> = path[first..].iter().map(|(name, _)| *name).collect();
                return Err(format!("recursion: {} -> {next}", circle.join(" -> ")).into());
            }
            if !done.contains(&next) {
                path.push((next, self.callees(next)));
            }
        }
        Ok(done)
    }

    fn callees(&self, name: &str) -> Vec<&str> {
        let function = self.0.get(name);
        let known = function.into_iter().flat_map(|f| &f.calls);
        known.map(String::as_str).filter(|c| self.0.contains_key(*c)).collect()
    }

    /// Check everything that `root` reaches: no recursion, no trait objects and no large frames in functions whose names begin with
    /// one of `ours`. The largest frame among them is returned.
    pub(crate) fn check<'a>(
        &'a self,
        root: &'a str,
        ours: &[&str],
        most: usize,
    ) -> Result<(usize, &'a str)> {
        let mut largest = (0, "");
        for name in self.reachable(root)? {
            let Some(function) = self.0.get(name).filter(|_| is_in(name, ours)) else { continue };
            if function.through_tables > 0 {
                return Err(format!("{name} calls a trait object").into());
            }
            if function.frame > most {
                return Err(format!("{name} has a stack frame of {} bytes", function.frame).into());
            }
            largest = largest.max((function.frame, name));
        }
        Ok(largest)
    }
}

/// Does a function belong to one of some crates?
fn is_in(name: &str, crates: &[&str]) -> bool {
    crates.iter().any(|c| name.trim_start_matches('<').starts_with(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "
0000000000001000 <main>:
    1000:\tsub    $0x18,%rsp
    1004:\tcall   1100 <step::outer>
    1009:\tret

0000000000001100 <step::outer>:
    1100:\tsub    $0x100,%rsp
    1107:\tjmp    1120 <step::outer+0x20>
    1120:\tcall   *0x41f31(%rip)        # 2da688 <memset@GLIBC_2.2.5>
    1126:\tjmp    1200 <step::inner>

0000000000001200 <step::inner>:
    1200:\tsub    $0x40,%rsp
    1204:\tret
";

    #[test]
    fn frames_are_found_along_the_calls() {
        let graph = CallGraph::parse(PROGRAM);
        assert_eq!(graph.check("main", &["step"], 0x100).unwrap(), (0x100, "step::outer"));
        assert!(graph.check("main", &["step"], 0xff).is_err());
        assert_eq!(graph.reachable("main").unwrap(), ["step::inner", "step::outer", "main"]);
    }

    #[test]
    fn circles_and_tables_of_functions_are_found() {
        let circle = PROGRAM.replace("    1204:\tret", "    1204:\tcall   1100 <step::outer>");
        let error = CallGraph::parse(&circle).check("main", &["step"], 1000).unwrap_err();
        assert!(error.to_string().contains("step::outer -> step::inner -> step::outer"), "{error}");
        let object = PROGRAM.replace("    1204:\tret", "    1204:\tcall   *0x18(%rbx)");
        let graph = CallGraph::parse(&object);
        assert!(graph.check("main", &["step"], 1000).is_err());
        assert!(graph.check("main", &["other"], 1000).is_ok());
    }
}
