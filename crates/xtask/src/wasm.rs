//! The WebAssembly build of the crates that make a step.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{Result, cargo, root, run, succeeds};

const TARGET: &str = "wasm32-unknown-unknown";
/// Crates that have no standard library.
const CRATES: [&str; 3] = ["ferrodyn-math", "ferrodyn-model", "ferrodyn-dynamics"];

/// Build math, model and dynamics for WebAssembly.
///
/// The target's libraries come with rustup where it can add them. Where it cannot, Debian's compiler
/// and its sources are unpacked into a private folder, and the libraries are built from those.
pub(crate) fn build() -> Result<()> {
    let mut command = cargo();
    command.args(["build", "--target", TARGET]);
    for name in CRATES {
        command.args(["--package", name]);
    }
    if !target_installed() && !succeeds(Command::new("rustup").args(["target", "add", TARGET])) {
        let rustc = debian_rustc()?;
        command.arg("-Zbuild-std=core,alloc").args(["--target-dir", "target/wasm"]);
        command.env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1");
    }
    run(&mut command)
}

/// Does the current toolchain have the libraries of the target?
fn target_installed() -> bool {
    let out = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    out.is_ok_and(|out| Path::new(String::from_utf8_lossy(&out.stdout).trim()).exists())
}

/// Debian's newest compiler with its library sources, unpacked without being installed.
fn debian_rustc() -> Result<PathBuf> {
    let folder = root().join(".toolchain");
    let shim = folder.join("rustc");
    if shim.exists() {
        return Ok(shim);
    }
    fs::create_dir_all(&folder)?;
    // the lists of a fresh machine may be empty or old
    succeeds(Command::new("apt-get").arg("update"));
    let packages = ["rustc-web", "libstd-rust-web-dev", "rust-web-src"];
    let mut wanted: Vec<String> = packages.map(String::from).to_vec();
    wanted.extend(library_packages()?);
    run(Command::new("apt-get").arg("download").args(&wanted).current_dir(&folder))
        .map_err(|e| format!("no way to build for {TARGET}: rustup cannot add it, and {e}"))?;
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "deb") {
            run(Command::new("dpkg-deb").arg("-x").arg(&path).arg(folder.join("root")))?;
            fs::remove_file(path)?;
        }
    }
    let usr = folder.join("root/usr");
    let script = format!(
        "#!/bin/sh\nLD_LIBRARY_PATH='{0}/lib/x86_64-linux-gnu' exec '{0}/bin/rustc' \"$@\"\n",
        usr.display()
    );
    fs::write(&shim, script)?;
    run(Command::new("chmod").arg("+x").arg(&shim))?;
    Ok(shim)
}

/// The versioned library packages on which Debian's compiler depends.
fn library_packages() -> Result<Vec<String>> {
    let depends = |package: &str| -> Result<Vec<String>> {
        let out = Command::new("apt-cache").args(["depends", package]).output()?;
        let text = String::from_utf8_lossy(&out.stdout);
        Ok(text
            .lines()
            .filter_map(|l| l.trim().strip_prefix("Depends: "))
            .map(String::from)
            .collect())
    };
    let std_library = depends("libstd-rust-web-dev")?
        .into_iter()
        .find(|p| p.starts_with("libstd-rust-web-"))
        .ok_or("Debian's rustc-web packages are not to be had")?;
    let llvm = depends(&std_library)?.into_iter().filter(|p| p.starts_with("libllvm"));
    let mut packages: Vec<String> = llvm.collect();
    packages.push(std_library);
    Ok(packages)
}
