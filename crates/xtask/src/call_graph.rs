//! What a compiled program calls, read from its disassembly (x86-64).
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use crate::run::Result;

/// A function of the program.
#[derive(Debug, Default)]
struct Function {
    /// Several can have one name: a generic function that was compiled for several types.
    name: String,
    /// Where the functions begin that it calls or ends in.
    calls: BTreeSet<u64>,
    /// Bytes of its stack frame, as far as they are taken in one go.
    frame: usize,
    /// Calls through a table of functions, which is how trait objects are called, or of an address that was computed.
    through_tables: usize,
}

/// The functions of a program, by their addresses.
#[derive(Debug)]
pub(crate) struct CallGraph(BTreeMap<u64, Function>);

/// Which registers hold the address of a function that the program names, as far as the text before an instruction says.
#[derive(Default)]
struct Registers(BTreeSet<String>);

impl Registers {
    /// Follow an instruction that writes its last operand.
    fn follow(&mut self, operation: &str, operands: &str) {
        let operands = operands.split('#').next().unwrap_or("").trim();
        let Some((from, to)) = operands.rsplit_once(',') else { return };
        if !to.starts_with('%') {
            return;
        }
        // an address that is written in the program, or lies at a fixed place; or a copy of one
        let fixed = from.ends_with("(%rip)") || from.starts_with("$0x");
        let is_known = match operation {
            "mov" | "lea" => fixed || self.0.contains(from),
            _ => return,
        };
        if is_known {
            self.0.insert(to.to_owned());
        } else {
            self.0.remove(to);
        }
    }
}

impl CallGraph {
    /// Read the disassembly of a program.
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
        let mut functions = BTreeMap::<u64, Function>::new();
        let (mut begin, mut registers) = (0, Registers::default());
        for line in text.lines() {
            if let Some((address, name)) = label(line) {
                (begin, registers) = (address, Registers::default());
                functions.entry(begin).or_default().name = name.to_owned();
                continue;
            }
            let Some((_, instruction)) = line.split_once(":\t") else { continue };
            // what only pads a direct call
            let instruction = instruction.trim_start_matches("addr32 ");
            let (operation, operands) =
                instruction.split_once(char::is_whitespace).unwrap_or((instruction, ""));
            let Some(function) = functions.get_mut(&begin) else { continue };
            let operands = operands.trim();
            match operation {
                "sub" => {
                    let bytes = operands.strip_prefix("$0x").and_then(|o| o.split_once(",%rsp"));
                    let bytes = bytes.and_then(|(n, _)| usize::from_str_radix(n, 16).ok());
                    function.frame = function.frame.max(bytes.unwrap_or(0));
                }
                // functions of other libraries lie at a fixed place, `%rip`; their addresses may be in registers
                "call" if operands.starts_with('*') => {
                    let known = operands.contains("(%rip)") || registers.0.contains(&operands[1..]);
                    function.through_tables += usize::from(!known);
                }
                "call" | "jmp" => {
                    let target = operands.split(' ').next().unwrap_or("");
                    let target = u64::from_str_radix(target, 16).ok();
                    // a jump to its first instruction is a loop
                    let called = target.filter(|t| operation == "call" || *t != begin);
                    function.calls.extend(called);
                }
                _ => registers.follow(operation, operands),
            }
        }
        CallGraph(functions)
    }

    fn name(&self, address: u64) -> &str {
        self.0.get(&address).map_or("", |function| &function.name)
    }

    /// The functions that can run once `root` runs, callees before their callers; an error that names a circle where there is one. What
    /// happens in a panic is left out.
    fn reachable(&self, root: &str) -> Result<Vec<u64>> {
        let begin = self.0.iter().find(|(_, function)| function.name == root);
        let begin = *begin.ok_or_else(|| format!("there is no function {root}"))?.0;
        let mut done = Vec::new();
        let mut seen = BTreeSet::from([begin]);
        // functions on the way from the root, each with those that are still to be visited
        let mut path = vec![(begin, self.callees(begin))];
        while let Some((address, callees)) = path.last_mut() {
            let Some(next) = callees.pop() else {
                done.push(*address);
                path.pop();
                continue;
            };
            if let Some(first) = path.iter().position(|(address, _)| *address == next) {
                let circle: Vec<&str> = path[first..].iter().map(|(a, _)| self.name(*a)).collect();
                let (circle, next) = (circle.join(" -> "), self.name(next));
                return Err(format!("recursion: {circle} -> {next}").into());
            }
            if seen.insert(next) {
                path.push((next, self.callees(next)));
            }
        }
        Ok(done)
    }

    fn callees(&self, address: u64) -> Vec<u64> {
        let function = self.0.get(&address).filter(|f| !f.name.contains("panic"));
        // a jump within a function leads to none
        let known = function.into_iter().flat_map(|f| &f.calls);
        known.copied().filter(|c| self.0.contains_key(c)).collect()
    }

    /// Check everything that `root` reaches: no recursion, no trait objects and no large frames in functions whose names begin with
    /// one of `ours`. The largest frame among them is returned, and their number.
    pub(crate) fn check(
        &self,
        root: &str,
        ours: &[&str],
        most: usize,
    ) -> Result<((usize, &str), usize)> {
        let (mut largest, mut count) = ((0, ""), 0);
        for address in self.reachable(root)? {
            let Some(function) = self.0.get(&address) else { continue };
            let name = &*function.name;
            if !is_in(name, ours) {
                continue;
            }
            count += 1;
            if function.through_tables > 0 {
                return Err(format!("{name} calls a trait object").into());
            }
            if function.frame > most {
                return Err(format!("{name} has a stack frame of {} bytes", function.frame).into());
            }
            largest = largest.max((function.frame, name));
        }
        Ok((largest, count))
    }
}

/// The address and the name of a function that begins at a line.
fn label(line: &str) -> Option<(u64, &str)> {
    let (address, name) = line.strip_suffix(">:")?.split_once(" <")?;
    Some((u64::from_str_radix(address, 16).ok()?, name))
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
        assert_eq!(graph.check("main", &["step"], 0x100).unwrap(), ((0x100, "step::outer"), 2));
        assert!(graph.check("main", &["step"], 0xff).is_err());
        assert_eq!(graph.reachable("main").unwrap(), [0x1200, 0x1100, 0x1000]);
        assert!(graph.reachable("other").is_err());
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

    #[test]
    fn addresses_in_registers_are_followed() {
        let with = |before: &str| {
            let call = format!("    1200:\t{before}\n    1204:\tcall   *%r14");
            let text = PROGRAM.replace("    1204:\tret", &call);
            CallGraph::parse(&text).check("main", &["step"], 1000).is_ok()
        };
        // a function of another library
        assert!(with("mov    0x41f31(%rip),%r14        # 2da688 <memset@GLIBC_2.2.5>"));
        assert!(with("mov    0x41f31(%rip),%r8        # 2da688\n    1203:\tmov    %r8,%r14"));
        assert!(with("lea    0x100(%rip),%r14        # 1300 <step::third>"));
        // a method of a trait object, and what came from somewhere
        assert!(!with("mov    0x18(%rax),%r14"));
        assert!(!with("mov    %r8,%r14"));
        assert!(!with("nop"));
    }

    #[test]
    fn functions_of_one_name_are_told_apart() {
        // another `step::inner`, which nothing calls, uses trait objects
        let text =
            format!("{PROGRAM}\n0000000000001300 <step::inner>:\n    1300:\tcall   *0x18(%rbx)\n");
        assert!(CallGraph::parse(&text).check("main", &["step"], 1000).is_ok());
    }
}
