//! Saves a world in three ways, and goes on from each with the very same bits.

#![allow(clippy::print_stdout, reason = "an example shows what it computes")]

use ferrodyn::StateBit;
use ferrodyn::prelude::*;

const MODEL: &str = r#"
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body pos="0 0 0.5">
      <freejoint/>
      <geom type="box" size="0.1 0.1 0.1"/>
      <body pos="0.2 0 0">
        <joint name="flap" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
      </body>
    </body>
  </worldbody>
</mujoco>"#;

fn main() -> Result<(), Error> {
    let model = load_model(MODEL)?;
    let mut data = model.make_data();
    data.step_n(&model, 300)?;

    // in memory: a copy of the world; `copy_from` does the same without allocating
    let snapshot = data.clone();
    // as numbers: all that the next step depends on, in MuJoCo's order
    let parts = StateBit::Integration as i32;
    let numbers = data.state(&model, parts)?;
    // as bytes, for a file or another process
    let bytes = data.to_bytes();
    // the model too: the binary format loads without compiling
    let path = std::env::temp_dir().join(format!("save_restore_{}.fdb", std::process::id()));
    model.save_binary(&path)?;
    println!("at {:.2} s: {} numbers, {} bytes", data.time(), numbers.len(), bytes.len());

    // how it goes on
    data.step_n(&model, 300)?;
    let expected = data.state_hash();
    println!("at {:.2} s: fingerprint {expected:016x}", data.time());

    let mut first = snapshot;
    first.step_n(&model, 300)?;
    assert_eq!(first.state_hash(), expected);

    let mut second = model.make_data();
    second.set_state(&model, &numbers, parts)?;
    second.step_n(&model, 300)?;
    assert_eq!(second.state_hash(), expected);

    let loaded = Model::from_binary_path(&path)?;
    std::fs::remove_file(&path).map_err(|source| Error::File { path, source })?;
    let mut third = Data::from_bytes(&loaded, &bytes)?;
    third.step_n(&loaded, 300)?;
    assert_eq!(third.state_hash(), expected);

    // handles work with the loaded model: it has the same structure
    let flap = model.joint("flap")?;
    assert_eq!(flap.qpos(&third), flap.qpos(&data));
    println!("all three went on alike; the flap is at {:.6} rad", flap.qpos(&third)[0]);
    Ok(())
}
