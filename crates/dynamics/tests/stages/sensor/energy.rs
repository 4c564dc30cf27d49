//! Energies.
use ferrodyn_testing::{all_close, forward_at, load};

#[test]
fn energies_are_those_of_height_springs_and_speed() {
    // 2 kg on a slider along z with a spring of 5 N/m about 0.1, beside 3 kg that hang on a tendon of 4 N/m and length 1
    let model = load(
        "<mujoco><option gravity='0 0 -10'><flag energy='enable'/></option><worldbody>\
         <body pos='0 0 1'><joint type='slide' axis='0 0 1' stiffness='5' springref='.1'/><geom size='.1' mass='2'/></body>\
         <body pos='5 0 0'><joint name='j' type='slide' axis='0 0 1'/><geom size='.1' mass='3'/></body></worldbody>\
         <tendon><fixed stiffness='4' springlength='1'><joint joint='j' coef='2'/></fixed></tendon></mujoco>",
    );
    let data = forward_at(&model, &[0.5, 1.5], &[2.0, -1.0]);
    let height = 2.0 * 10.0 * 1.5 + 3.0 * 10.0 * 1.5;
    let springs = 0.5 * 5.0 * 0.4 * 0.4 + 0.5 * 4.0 * 2.0 * 2.0;
    let speed = 0.5 * 2.0 * 4.0 + 0.5 * 3.0 * 1.0;
    all_close(&data.header().energy, &[height + springs, speed], 1e-13);
}

/// Springs along the edges of a line count, `½ k (l - L)²`; the elasticity of triangles and tetrahedra does not, in MuJoCo as here.
#[test]
fn lines_store_energy_and_other_flexes_do_not() {
    let model = |flexcomp: &str| {
        load(&format!(
            "<mujoco><option gravity='0 0 0'><flag energy='enable' contact='disable'/></option><worldbody><body name='b'>\
             <flexcomp name='f' radius='.01' mass='4' spacing='.5 .5 .5' {flexcomp}</flexcomp></body></worldbody></mujoco>"
        ))
    };
    let line = model("count='2 1 1' dim='1'><edge stiffness='8'/>");
    // the two vertices along x, apart by half a metre and a quarter more, with 2 kg each
    let data = forward_at(&line, &[-0.25], &[2.0]);
    all_close(&data.header().energy, &[0.5 * 8.0 * 0.0625, 0.5 * 2.0 * 4.0], 1e-14);
    let mut block = model("count='2 2 2' dim='3'><elasticity young='1e3' poisson='.3'/>");
    // no text can ask for such springs
    block.edit(|m| m.flex_edgestiffness[0] = 8.0);
    assert_eq!(forward_at(&block, &[-0.25], &[]).header().energy[0], 0.0);
}
