//! What kernels may take, and what they do.
use std::fs;

use super::compile::Module;
use crate::run::Result;

/// The most that a module may take; all architectures stay below it.
struct Budget {
    module: &'static str,
    /// Registers of a thread.
    registers: u64,
    /// Bytes of stack of a thread, in all functions of a kernel together.
    stack: u64,
    /// Bytes that registers are written to and read from memory for want of them, in the text of all functions.
    spills: u64,
    /// Thousand bytes of code.
    kilobytes: u64,
    reason: &'static str,
}

/// Bytes of stack that a thread of any kernel may take. The driver reserves as much as a kernel needs for every thread that the GPU can run, a quarter of a million on an H200.
const STACK_BYTES: usize = 32 * 1024;
/// What a step may take of it.
const STEP_STACK: u64 = STACK_BYTES as u64 / 2;
/// Half of what a thread can have: twice as many warps run at a time, which wait for memory in turns. On an H200, `position` takes 192 ns a world
/// in place of 295, `accelerate` 130 in place of 214; `contacts` and `solve` take longer with so few (604 in place of 409, 728 in place of 655).
const HALF_REGISTERS: u64 = 128;
/// All that a thread can have. Eight warps with so many run at a time on a multiprocessor, each of them with a world.
const ALL_REGISTERS: u64 = 255;

const BUDGETS: [Budget; 9] = [
    Budget {
        module: "memory",
        registers: ALL_REGISTERS,
        stack: 28 * 1024,
        spills: 48_000,
        kilobytes: 1_100,
        reason: "`open` holds views of all arrays of a model; it runs once for a batch, in one thread",
    },
    Budget {
        module: "step",
        registers: 160,
        stack: 1024,
        spills: 64,
        kilobytes: 320,
        reason: "copies and sums over a world, which wait for memory: registers are left for other warps",
    },
    Budget {
        module: "smooth",
        registers: HALF_REGISTERS,
        stack: 4096,
        spills: 8_000,
        kilobytes: 1_200,
        reason: "runs for every world of every model, and has no large arrays of its own",
    },
    Budget {
        module: "contacts",
        registers: ALL_REGISTERS,
        stack: STEP_STACK,
        spills: 26_000,
        kilobytes: 2_900,
        reason: "pairs of all shapes; polytopes of convex shapes lie on the stack",
    },
    Budget {
        module: "rows",
        registers: HALF_REGISTERS,
        stack: 4096,
        spills: 8_000,
        kilobytes: 950,
        reason: "rows of all kinds of constraints, one kind after the other",
    },
    Budget {
        module: "solve",
        registers: ALL_REGISTERS,
        stack: 4096,
        spills: 8_000,
        kilobytes: 500,
        reason: "Newton's method whose rows and columns lanes share: little in each of them",
    },
    Budget {
        module: "solve_alone",
        registers: ALL_REGISTERS,
        stack: STEP_STACK,
        spills: 24_000,
        kilobytes: 2_200,
        reason: "all solvers with dense and sparse Hessians; tiles of a factor lie in registers and on the stack",
    },
    Budget {
        module: "accelerate",
        registers: HALF_REGISTERS,
        stack: 4096,
        spills: 8_000,
        kilobytes: 850,
        reason: "all integrators, with the derivatives that implicit ones need",
    },
    Budget {
        module: "sensors",
        registers: ALL_REGISTERS,
        stack: STEP_STACK,
        spills: 26_000,
        kilobytes: 2_500,
        reason: "sensors of distances have contacts of all shapes in them, those of rays their meeting with all shapes",
    },
];

/// Thousand bytes that a module may have: the larger it is, the longer it takes to make.
pub(crate) fn bytes(module: &str) -> u64 {
    BUDGETS.iter().find(|own| own.module == module).map_or(0, |own| own.kilobytes)
}

/// Registers that a thread of a module may have.
pub(crate) fn registers(module: &str) -> u64 {
    BUDGETS.iter().find(|own| own.module == module).map_or(ALL_REGISTERS, |own| own.registers)
}

/// What a module takes: the most of its kernels, and spills of all its functions.
#[derive(Debug, Default, PartialEq)]
struct Taken {
    kernels: u64,
    registers: u64,
    stack: u64,
    spills: u64,
    bytes: u64,
}

impl Taken {
    /// From what the assembler said.
    fn read(log: &str, bytes: u64) -> Result<Taken> {
        let mut taken = Taken { bytes, ..Taken::default() };
        for line in log.lines() {
            // recursion, or calls of functions that are known when they are made
            if line.contains("cannot be statically determined") {
                return Err(line.trim().into());
            }
            taken.kernels += u64::from(line.contains("Compiling entry function"));
            taken.registers = taken.registers.max(before(line, " registers"));
            taken.stack = taken.stack.max(before(line, " bytes cumulative stack size"));
            taken.stack = taken.stack.max(before(line, " bytes stack frame"));
            taken.spills +=
                before(line, " bytes spill stores") + before(line, " bytes spill loads");
        }
        Ok(taken)
    }
}

/// The number before a phrase of a line; none is zero.
fn before(line: &str, phrase: &str) -> u64 {
    let head = line.find(phrase).map_or("", |place| &line[..place]);
    head.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Bytes of instructions in an ELF file. Those for newer architectures have a second form of them beside, which no GPU runs as it is.
fn code_bytes(elf: &[u8]) -> Option<u64> {
    let number = |place: u64, length: usize| {
        let place = usize::try_from(place).ok()?;
        let bytes = elf.get(place..place.checked_add(length)?)?;
        Some(bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
    };
    let (first, length, count) = (number(0x28, 8)?, number(0x3a, 2)?, number(0x3c, 2)?);
    let mut sum = 0;
    for section in 0..count {
        let header = first.checked_add(section * length)?;
        let (kind, flags) = (number(header + 4, 4)?, number(header + 8, 8)?);
        // contents of the program, executable
        if kind == 1 && flags & 4 != 0 {
            sum += number(header + 32, 8)?;
        }
    }
    Some(sum)
}

/// Print what modules take, and check it, where they are of a build that is held to the table.
pub(crate) fn check(title: &str, modules: &[Module], held: bool) -> Result<()> {
    println!("\n{title}");
    println!(
        "{:<12}{:>8}{:>11}{:>8}{:>8}{:>10}",
        "module", "kernels", "registers", "stack", "spills", "code"
    );
    let mut faults = Vec::new();
    let mut bytes = 0;
    for module in modules {
        let code =
            code_bytes(&fs::read(&module.cubin)?).ok_or("what ptxas wrote is no ELF file")?;
        let taken =
            Taken::read(&module.log, code).map_err(|e| format!("{title}, {}: {e}", module.name))?;
        let Taken { kernels, registers, stack, spills, bytes: own } = taken;
        println!("{:<12}{kernels:>8}{registers:>11}{stack:>8}{spills:>8}{own:>10}", module.name);
        bytes += own;
        if kernels != module.kernels.len() as u64 {
            faults
                .push(format!("{}: {kernels} kernels, and not {:?}", module.name, module.kernels));
        }
        if held {
            faults.extend(faults_of(module.name, &taken)?);
        } else if stack >= STACK_BYTES as u64 {
            faults.push(format!("{}: {stack} bytes of stack, of {STACK_BYTES}", module.name));
        }
    }
    println!("{:<12}{:>8}{:>11}{:>8}{:>8}{bytes:>10}", "all", "", "", "", "");
    if faults.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "{title}: over budget (crates/xtask/src/gpu/budget.rs):\n{}",
            faults.join("\n")
        )
        .into())
    }
}

/// Where a module takes more than it may.
fn faults_of(module: &str, taken: &Taken) -> Result<Vec<String>> {
    let budget = BUDGETS.iter().find(|own| own.module == module);
    let budget = budget.ok_or_else(|| format!("{module} has no budget"))?;
    let compared = [
        ("registers", taken.registers, budget.registers),
        ("bytes of stack", taken.stack, budget.stack),
        ("bytes of spills", taken.spills, budget.spills),
        ("bytes of code", taken.bytes, 1000 * budget.kilobytes),
    ];
    let over = compared.iter().filter(|(_, taken, most)| taken > most);
    let text = |(what, taken, most)| {
        format!("{module}: {taken} {what}, at most {most}: {}", budget.reason)
    };
    Ok(over.copied().map(text).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::kernels::KERNELS;

    const LOG: &str = "\
ptxas info    : 191 bytes gmem
ptxas info    : Compiling entry function 'view' for 'sm_90'
ptxas info    : Function properties for view
    1208 bytes stack frame, 1712 bytes spill stores, 1260 bytes spill loads
ptxas info    : Used 255 registers, used 0 barriers, 1208 bytes cumulative stack size
ptxas info    : Function properties for read
    0 bytes stack frame, 0 bytes spill stores, 8 bytes spill loads
";

    #[test]
    fn reads_what_the_assembler_says() {
        let wanted = Taken { kernels: 1, registers: 255, stack: 1208, spills: 2980, bytes: 7 };
        assert_eq!(Taken::read(LOG, 7).unwrap(), wanted);
        let unknown =
            "ptxas warning : Stack size for entry function 'f' cannot be statically determined";
        assert!(Taken::read(unknown, 7).is_err());
    }

    #[test]
    fn counts_instructions_of_programs() {
        let mut elf = vec![0; 64 + 2 * 64];
        (elf[0x28], elf[0x3a], elf[0x3c]) = (64, 64, 2);
        // a section of instructions, and one of data
        (elf[64 + 4], elf[64 + 8], elf[64 + 33]) = (1, 6, 1);
        (elf[128 + 4], elf[128 + 8], elf[128 + 32]) = (1, 2, 9);
        assert_eq!(code_bytes(&elf), Some(256));
        assert_eq!(code_bytes(&elf[..100]), None);
    }

    #[test]
    fn names_what_is_over_budget() {
        let taken = Taken { kernels: 4, registers: 255, stack: 9, spills: 9, bytes: 9 };
        let faults = faults_of("step", &taken).unwrap();
        assert_eq!(faults.len(), 1);
        assert!(faults[0].starts_with("step: 255 registers, at most 160: "));
        assert!(faults_of("other", &taken).is_err());
    }

    #[test]
    fn every_module_has_a_budget_within_the_stack() {
        assert_eq!(KERNELS.map(|(name, _)| name), BUDGETS.map(|budget| budget.module));
        for budget in BUDGETS {
            let most = if budget.module == "memory" { STACK_BYTES as u64 } else { STEP_STACK };
            assert!(budget.stack <= most, "{}", budget.module);
        }
    }
}
