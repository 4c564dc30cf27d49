//! The programs of a release.
use std::fs;

use crate::run::{Result, cargo, root, run};

/// Build the `ferrodyn` command into `target/dist`: for every processor, and on x86-64 once more for those with AVX2. Both must come to the same
/// states, to the last digit that is written.
pub(crate) fn build() -> Result<()> {
    let folder = root().join("target/dist");
    fs::create_dir_all(&folder)?;
    let build = |target: &str, flags: Option<&str>| -> Result<_> {
        let mut command = cargo();
        command.args(["build", "--release", "--quiet", "--package", "ferrodyn-cli"]);
        command.arg("--target-dir").arg(root().join(target));
        flags.map(|flags| command.env("RUSTFLAGS", flags));
        run(&mut command)?;
        Ok(root().join(target).join("release/ferrodyn"))
    };
    fs::copy(build("target", None)?, folder.join("ferrodyn"))?;
    if !cfg!(all(target_arch = "x86_64", unix)) {
        return Ok(());
    }
    let wider = build("target/v3", Some("-C target-cpu=x86-64-v3"))?;
    fs::copy(wider, folder.join("ferrodyn-v3"))?;
    let states = ["baseline", "v3"].map(|engine| -> Result<_> {
        let file = folder.join(format!("{engine}.csv"));
        let mut command = std::process::Command::new(folder.join("ferrodyn"));
        command.arg("run").arg(root().join("benches/models/humanoid.xml"));
        run(command.args(["--time", "2", "--csv"]).arg(&file).env("FERRODYN_ENGINE", engine))?;
        let states = fs::read(&file)?;
        fs::remove_file(file)?;
        Ok(states)
    });
    let [baseline, wider] = states;
    if baseline? != wider? {
        return Err("the programs come to different states".into());
    }
    Ok(())
}
