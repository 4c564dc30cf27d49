//! The private Python environment: MuJoCo as the oracle, and the wheel of this project.
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{Result, root, run, succeeds};

/// The release of MuJoCo whose numbers decide.
const ORACLE: &str = "mujoco==3.5.0";
/// What building and testing the wheel needs; the last two have the environments that tasks are compared with.
const TOOLS: [&str; 5] =
    ["maturin>=1.7,<2", "pytest>=8", "numpy>=1.24", "gymnasium==1.2.3", "imageio"];
/// Composes some of the corpus; the release is that of `conformance/corpus.json`.
const COMPOSER: [&str; 2] = ["dm_control==1.0.37", "pillow"];
/// The newest MuJoCo, against which speed is measured as well.
const NEWEST: &str = "mujoco==4.0.0";
/// Vector environments in C++ on MuJoCo.
const ENVPOOL: &str = "envpool==1.2.5";

/// What tests with other packages need that are too heavy for every run.
const ECOSYSTEM: [&str; 4] = ["ray==2.60.0", "gymnasium==1.2.3", "pytest>=8", "numpy>=1.24"];

/// NVIDIA's assembler of kernels.
const ASSEMBLER: &str = "nvidia-cuda-nvcc==13.5.37";

/// A Python interpreter in a virtual environment of the repository.
pub(crate) struct Python {
    folder: PathBuf,
}

impl Python {
    /// An environment in which `packages` are installed; made when it does not exist.
    fn new(name: &str, packages: &[&str]) -> Result<Python> {
        let python = Python { folder: root().join(name) };
        if !python.program().exists() {
            run(Command::new("python3").args(["-m", "venv"]).arg(&python.folder))?;
        }
        python.install("installed.txt", packages)?;
        Ok(python)
    }

    /// Install packages, unless `stamp` says that they are there: later runs need no network.
    fn install(&self, stamp: &str, packages: &[&str]) -> Result<()> {
        let stamp = self.folder.join(stamp);
        let wanted = packages.join("\n");
        if fs::read_to_string(&stamp).ok().as_deref() != Some(&wanted) {
            run(self.pip_install().args(packages))?;
            fs::write(&stamp, wanted)?;
        }
        Ok(())
    }

    /// The beginning of a `pip install`.
    fn pip_install(&self) -> Command {
        let mut install = self.command();
        install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        install
    }

    /// The interpreter.
    fn program(&self) -> PathBuf {
        self.folder.join("bin/python")
    }

    /// A command that starts the interpreter in the root of the repository.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(self.program());
        command.current_dir(root()).env("VIRTUAL_ENV", &self.folder).env("PYTHONUNBUFFERED", "1");
        command
    }

    /// Run the interpreter with arguments.
    pub(crate) fn run(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Result<()> {
        run(self.command().args(args))
    }
}

/// The environment with MuJoCo and the build tools.
pub(crate) fn with_oracle() -> Result<Python> {
    let mut packages = vec![ORACLE];
    packages.extend(TOOLS);
    Python::new(".venv", &packages)
}

/// The same environment with the current wheel built and installed.
pub(crate) fn with_wheel() -> Result<Python> {
    let python = with_oracle()?;
    python.run(["crates/python/wide_build.py"])?;
    let wheel = build_wheel(&python, &root().join("target/wheels"), &[])?;
    run(python.pip_install().args(["--force-reinstall", "--no-deps"]).arg(wheel))?;
    Ok(python)
}

/// The same environment, and a folder that has the package in single precision. It comes before the
/// installed package where `PYTHONPATH` names it.
pub(crate) fn with_single_wheel() -> Result<(Python, PathBuf)> {
    let python = with_oracle()?;
    // one engine alone: the other one has double precision
    let second = root().join("crates/python/python/ferrodyn/_v3");
    if second.exists() {
        fs::remove_dir_all(second)?;
    }
    let single = root().join("target/single");
    let wheel = build_wheel(&python, &single.join("wheels"), &["--features", "f32"])?;
    let folder = single.join("python");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    run(python.pip_install().args(["--no-deps", "--target"]).arg(&folder).arg(wheel))?;
    Ok((python, folder))
}

/// Build the package into a folder of its own.
fn build_wheel(python: &Python, wheels: &Path, options: &[&str]) -> Result<PathBuf> {
    if wheels.exists() {
        fs::remove_dir_all(wheels)?;
    }
    let manifest = root().join("crates/python/Cargo.toml");
    let mut build = python.command();
    build.args(["-m", "maturin", "build", "--release", "--quiet", "--manifest-path"]).arg(manifest);
    run(build.args(options).arg("--out").arg(wheels))?;
    find_wheel(wheels)
}

/// The package in a folder that has one.
fn find_wheel(wheels: &Path) -> Result<PathBuf> {
    let wheel = fs::read_dir(wheels)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension() == Some(OsStr::new("whl")));
    Ok(wheel.ok_or("maturin built no wheel")?)
}

/// The environment with the wheel and with what composes a part of the corpus.
pub(crate) fn for_conformance() -> Result<Python> {
    let python = with_wheel()?;
    python.install("installed-corpus.txt", &COMPOSER)?;
    Ok(python)
}

/// An environment with the wheel and with Ray, for tests on a cluster.
pub(crate) fn for_ecosystem() -> Result<Python> {
    let wheels = root().join("target/wheels");
    with_wheel()?;
    let python = Python::new(".venv-ecosystem", &ECOSYSTEM)?;
    let wheel = find_wheel(&wheels)?;
    run(python.pip_install().args(["--force-reinstall", "--no-deps"]).arg(wheel))?;
    Ok(python)
}

/// The environment of the oracle, with the newest MuJoCo in a second one where it can be had.
pub(crate) fn for_benchmarks() -> Result<Python> {
    let python = with_wheel()?;
    beside(".venv-newest", &[NEWEST, "numpy>=1.24"], "import mujoco")?;
    Ok(python)
}

/// The environment of the oracle, with EnvPool in a second one where it can be had.
pub(crate) fn for_vector_envs() -> Result<Python> {
    let python = with_wheel()?;
    beside(".venv-envpool", &[ENVPOOL, "gymnasium==1.2.3", "numpy>=1.24"], "import envpool")?;
    Ok(python)
}

/// `ptxas`, from NVIDIA's package in an environment of its own: no CUDA toolkit has to be installed.
pub(crate) fn with_ptxas() -> Result<PathBuf> {
    let python = Python::new(".venv-gpu", &[ASSEMBLER])?;
    let packages = python.folder.join("lib");
    for version in fs::read_dir(packages)? {
        let nvidia = version?.path().join("site-packages/nvidia");
        for release in fs::read_dir(nvidia).into_iter().flatten() {
            let program = release?.path().join("bin/ptxas");
            if program.exists() {
                return Ok(program);
            }
        }
    }
    Err(format!("{ASSEMBLER} has no ptxas").into())
}

/// A second environment; without it speed is compared with the oracle alone, and the output says so.
fn beside(name: &str, packages: &[&str], check: &str) -> Result<()> {
    if Python::new(name, packages).is_err() {
        let folder = root().join(name);
        if folder.exists() && !succeeds(Command::new(folder.join("bin/python")).args(["-c", check]))
        {
            fs::remove_dir_all(folder)?;
        }
    }
    Ok(())
}
