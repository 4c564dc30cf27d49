//! The program for newer processors, beside this one.
//!
//! A release carries the engine twice, with the same bits: `ferrodyn`, which runs everywhere, and `ferrodyn-v3`, compiled for AVX2 and what
//! came with it. The first one goes on as the second where that is there and the processor can run it.

/// Go on in the program for newer processors; returns where this one is to do the work.
#[cfg(all(target_arch = "x86_64", unix, not(target_feature = "avx2")))]
pub(crate) fn go_on_with_wider_instructions() {
    use std::os::unix::process::CommandExt;

    let has_v3 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe");
    let unwanted = std::env::var_os("FERRODYN_ENGINE").is_some_and(|engine| engine == "baseline");
    let Ok(program) = std::env::current_exe() else { return };
    let wider = program.with_file_name("ferrodyn-v3");
    if has_v3 && !unwanted && wider.is_file() {
        // it takes the place of this process; an error leaves this one, which does the same
        let _ = std::process::Command::new(wider).args(std::env::args_os().skip(1)).exec();
    }
}

/// There is no program with wider instructions than this one.
#[cfg(not(all(target_arch = "x86_64", unix, not(target_feature = "avx2"))))]
pub(crate) fn go_on_with_wider_instructions() {}
