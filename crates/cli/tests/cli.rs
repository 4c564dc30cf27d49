//! The `ferrodyn` command as a user meets it.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn ferrodyn(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ferrodyn")).args(args).output().expect("the command runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn bench_model(name: &str) -> String {
    format!("{}/../../benches/models/{name}.xml", env!("CARGO_MANIFEST_DIR"))
}

/// A file that is removed when the test ends.
struct TempFile(PathBuf);

impl TempFile {
    fn new(name: &str, text: &str) -> TempFile {
        let path = std::env::temp_dir().join(format!("ferrodyn-cli-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("a temporary file");
        TempFile(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a plain path")
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).ok();
    }
}

/// The number before some words in a text.
fn number_before(text: &str, words: &str) -> f64 {
    let end = text.find(words).unwrap_or_else(|| panic!("'{words}' is missing in\n{text}"));
    let number = text[..end].trim_end().rsplit([' ', '+']).next().expect("a word");
    number.parse().unwrap_or_else(|_| panic!("'{number}' before '{words}' is no number"))
}

#[test]
fn without_a_command_the_humanoid_falls_and_comes_to_rest() {
    let output = ferrodyn(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    for part in ["29 degrees of freedom", "10.0 s in steps of 0.002 s", "steps per second"] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    // it lies on the floor, in contact and at rest
    assert!(number_before(&text, "contacts, centre") >= 6.0, "{text}");
    assert!(number_before(&text, "m high") < 0.3, "{text}");
    assert!(number_before(&text, "J of motion") < 0.01, "{text}");
    // what was lost is accounted for: contacts and dampers, and little to the integrator
    let lost = number_before(&text, "J lost");
    let (contacts, joints) =
        (number_before(&text, "J to contacts"), number_before(&text, "J to joint"));
    assert!(contacts > 100.0 && joints > 10.0, "{text}");
    assert!((lost - contacts - joints).abs() < 0.01 * lost, "{text}");
    let hash = text.lines().find(|l| l.contains("state hash")).expect("a hash");
    assert_eq!(stdout(&ferrodyn(&["demo"])).lines().find(|l| l.contains("state hash")), Some(hash));
}

#[test]
fn a_reader_that_leaves_early_ends_the_command_quietly() {
    // more text than a pipe holds, so that writing goes on after the reader has left
    let bodies = "<body><geom size='1'/></body>".repeat(5000);
    let model = format!("<mujoco><worldbody>{bodies}</worldbody></mujoco>");
    let file = TempFile::new("long.xml", &model);
    let mut command = Command::new(env!("CARGO_BIN_EXE_ferrodyn"));
    let mut child = command
        .args(["info", file.path()])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_time_step_that_does_not_advance_is_a_warning_and_no_endless_run() {
    for step in ["0", "-0.01"] {
        let text = format!("<mujoco>\n  <option timestep='{step}'/>\n</mujoco>");
        let file = TempFile::new("still.xml", &text);
        let output = ferrodyn(&["check", file.path()]);
        assert!(output.status.success());
        let warning = stderr(&output);
        assert!(
            warning.contains(":2:11: <option> timestep=") && warning.contains("does not advance"),
            "{warning}"
        );
        let output = ferrodyn(&["run", file.path(), "--time", "1"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("time does not advance"), "{}", stderr(&output));
    }
}

#[test]
fn info_shows_sizes_and_the_tree() {
    let output = ferrodyn(&["info", &bench_model("humanoid")]);
    assert!(output.status.success());
    let text = stdout(&output);
    assert!(
        text.contains("nv") && text.contains("right_forearm  hinge right_elbow  [capsule sphere]"),
        "{text}"
    );
    assert!(stderr(&output).is_empty());
}

#[test]
fn check_reports_all_errors_with_their_places_and_fails() {
    let bad = TempFile::new(
        "bad.xml",
        "<mujoco>\n  <worldbody>\n    <body nam='x'/>\n    <geom tipe='box'/>\n  </worldbody>\n</mujoco>\n",
    );
    let output = ferrodyn(&["check", bad.path()]);
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    assert!(text.contains(":3:11: <body> nam=\"x\""), "{text}");
    assert!(
        text.contains(":4:11: <geom> tipe=\"box\"") && text.contains("did you mean 'type'?"),
        "{text}"
    );

    assert!(ferrodyn(&["check", &bench_model("arm")]).status.success());
    assert_eq!(ferrodyn(&["check", "no/such/file.xml"]).status.code(), Some(1));
}

#[test]
fn run_writes_a_row_per_step() {
    let table = TempFile::new("out.csv", "");
    let output = ferrodyn(&["run", &bench_model("arm"), "--time", "0.1", "--csv", table.path()]);
    assert!(output.status.success(), "{}", stderr(&output));
    let rows: Vec<String> =
        std::fs::read_to_string(&table.0).unwrap().lines().map(String::from).collect();
    assert_eq!(rows.len(), 51);
    assert!(rows[0].starts_with("time,qpos0,") && rows[0].ends_with(",qvel6"));
    assert!(rows.iter().all(|row| row.split(',').count() == 15));
    assert!(rows[50].starts_with("0.1"));
}

#[test]
fn a_compiled_model_runs_like_its_text() {
    let binary = TempFile::new("arm.fdb", "");
    assert!(ferrodyn(&["compile", &bench_model("arm"), binary.path()]).status.success());
    let last = |path: &str| {
        let text = stdout(&ferrodyn(&["run", path, "--time", "0.2"]));
        text.lines().last().expect("a hash").to_owned()
    };
    assert_eq!(last(binary.path()), last(&bench_model("arm")));

    std::fs::write(&binary.0, b"FERRODYN and then nothing").unwrap();
    let output = ferrodyn(&["info", binary.path()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("binary model"));
}

#[test]
fn bad_arguments_are_explained() {
    let wrong_key = ferrodyn(&["run", &bench_model("arm"), "--key", "home"]);
    assert_eq!(wrong_key.status.code(), Some(1));
    assert!(stderr(&wrong_key).contains("no keyframe 'home'"));
    assert_eq!(ferrodyn(&["run", &bench_model("arm"), "--time", "-1"]).status.code(), Some(2));
    assert_eq!(ferrodyn(&["run", &bench_model("arm"), "--time=-1"]).status.code(), Some(1));
    assert_eq!(ferrodyn(&["fly"]).status.code(), Some(2));
    let help = ferrodyn(&["--help"]);
    assert!(help.status.success());
    for command in ["info", "check", "run", "testspeed", "compile"] {
        assert!(stdout(&help).contains(command));
    }
}

#[test]
fn testspeed_prints_a_rate() {
    let output =
        ferrodyn(&["testspeed", &bench_model("arm"), "--nstep", "200", "--no-constraints"]);
    assert!(output.status.success());
    assert!(stdout(&output).contains("steps per second"));
    assert!(Path::new(&bench_model("arm")).exists());
}

#[test]
fn models_are_converted_by_the_endings_of_their_names() {
    let robot = TempFile::new(
        "robot.urdf",
        r#"<robot name="r"><link name="world"/><link name="a"><collision><geometry><sphere radius="0.1"/>
          </geometry></collision></link><joint name="j" type="revolute"><parent link="world"/>
          <child link="a"/></joint></robot>"#,
    );
    let text = TempFile::new("robot.xml", "");
    let binary = TempFile::new("robot.fdb", "");
    let listing = TempFile::new("robot.txt", "");
    for (input, output) in [(&robot, &text), (&text, &binary), (&binary, &listing)] {
        let result = ferrodyn(&["compile", input.path(), output.path()]);
        assert!(result.status.success(), "{}", stderr(&result));
    }
    let xml = std::fs::read_to_string(&text.0).unwrap();
    assert!(xml.contains(r#"<joint name="j" type="hinge" axis="1 0 0"/>"#), "{xml}");
    let dump = std::fs::read_to_string(&listing.0).unwrap();
    assert!(dump.contains("body_mass [2]") && dump.contains("jnt_axis [1, 3]"), "{dump}");
    assert!(dump.contains("0  1 0 0"), "{dump}");

    let refused = ferrodyn(&["compile", binary.path(), text.path()]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("cannot be written as MJCF"));
    let unknown = ferrodyn(&["compile", text.path(), "model.stl"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(stderr(&unknown).contains(".xml (MJCF), .fdb (binary) or .txt"));
}

#[test]
fn check_takes_several_models_and_knows_what_was_removed() {
    let old = TempFile::new(
        "old.xml",
        "<mujoco>\n  <option apirate='100' mpr_iterations='3'/>\n  <compiler coordinate='global'/>\n</mujoco>\n",
    );
    let output = ferrodyn(&["check", &bench_model("arm"), old.path()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("arm.xml: ok"));
    let text = stderr(&output);
    for part in [
        ":2:11: <option> apirate=\"100\": removed in MuJoCo 3.3.7",
        "removed in MuJoCo 3.2.3: it is now called 'ccd_iterations'",
        ":3:13: <compiler> coordinate=\"global\": global coordinates were removed in MuJoCo 2.3.4",
        "1 of 2 models have errors",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn many_worlds_are_stepped_and_written() {
    let rules = TempFile::new(
        "rules.txt",
        "body_mass scale .5 2\nqvel add -1 1 # all of them\nopt.gravity scale .9 1\n",
    );
    let out = TempFile::new("states.npz", "");
    let model = bench_model("humanoid");
    let run = |seed: &str| {
        let args =
            ["batch", &model, "--worlds", "3", "--steps", "20", "--threads", "2", "--every", "10"];
        let rest = ["--randomize", rules.path(), "--out", out.path(), "--seed", seed];
        let output = ferrodyn(&[&args[..], &rest].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        (stdout(&output), std::fs::read(out.path()).expect("the arrays"))
    };
    let (text, bytes) = run("1");
    assert!(text.contains("60 steps of 3 worlds on 2 threads"), "{text}");
    assert!(text.contains("0 worlds diverged"), "{text}");
    // an archive with three files, whose headers numpy reads
    assert_eq!(bytes[..4], *b"PK\x03\x04");
    let all = String::from_utf8_lossy(&bytes);
    for part in ["states.npy", "time.npy", "diverged.npy", "'shape': (3,2,60,)", "'descr': '<f8'"] {
        assert!(all.contains(part), "{part} is missing");
    }
    assert!(run("1").1 == bytes, "the same numbers are drawn again");
    assert!(run("2").1 != bytes);
}

#[test]
fn a_bad_line_of_a_randomization_is_named() {
    let model = bench_model("humanoid");
    for (line, part) in [
        ("body_mass scale 1", ":2: a line is `NAME scale|add|set LOW HIGH`"),
        ("body_parentid scale 1 2", ":2: `body_parentid` cannot vary from world to world"),
        ("opt.cone scale 1 2", ":2: no option `cone` can vary"),
    ] {
        let rules = TempFile::new(&format!("bad{}.txt", line.len()), &format!("# first\n{line}\n"));
        let args = ["batch", &model, "--worlds", "2", "--steps", "1", "--randomize", rules.path()];
        let output = ferrodyn(&args);
        assert!(!output.status.success());
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    }
}
