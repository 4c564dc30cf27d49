//! Models that several stages are tested with.
use ferrodyn::dynamics::integrate::integrate_pos;
use ferrodyn::{Data, Model};
use ferrodyn_testing::{forward_driven, load};

/// Two hinges about y in a chain, with tendons and actuators.
pub(crate) fn two_links(tendons: &str, actuators: &str) -> Model {
    let world = "<body><joint name='j1' axis='0 1 0'/><geom size='.1' mass='1' pos='.5 0 0'/>
        <body pos='1 0 0'><joint name='j2' axis='0 1 0'/><geom size='.1' mass='1' pos='.5 0 0'/></body></body>";
    load(&format!(
        "<mujoco><option gravity='0 0 0'/><worldbody>{world}</worldbody>
         <tendon>{tendons}</tendon><actuator>{actuators}</actuator></mujoco>"
    ))
}

/// A tendon of the first hinge alone, with these attributes.
pub(crate) fn single(attributes: &str) -> String {
    format!("<fixed name='t' {attributes}><joint joint='j1' coef='1'/></fixed>")
}

/// A muscle of the first hinge at its optimal length.
pub(crate) fn muscle(attributes: &str, ctrl: f64, act: f64) -> (Model, Data) {
    let m = two_links("", &format!("<muscle joint='j1' lengthrange='0 1' {attributes}/>"));
    // range .75 to 1.05 of the optimal length
    let optimal = 0.25 / 0.3;
    let d = forward_driven(&m, &[optimal], &[], &[ctrl], &[act]);
    (m, d)
}

/// Generated flexes, each in a body of its own with what else is in that body; nothing collides and nothing falls.
pub(crate) fn flexcomps(parts: &[(&str, &str, &str)]) -> Model {
    let body = |(i, (own, attributes, children)): (usize, &(&str, &str, &str))| {
        format!(
            "<body name='b{i}' pos='{i} 0 0'>{own}<flexcomp name='f{i}' radius='.01' {attributes}>{children}</flexcomp></body>"
        )
    };
    let bodies: String = parts.iter().enumerate().map(body).collect();
    load(&format!(
        "<mujoco xmlns:ferrodyn='urn:ferrodyn'><option gravity='0 0 0' timestep='.001'><flag contact='disable'/></option><worldbody>{bodies}</worldbody></mujoco>"
    ))
}

/// One generated flex.
pub(crate) fn flexcomp(attributes: &str, children: &str) -> Model {
    flexcomps(&[("", attributes, children)])
}

/// Flexes whose vertices are on bodies of all kinds: a free one, three slides, a hinge on them, and one that does not move.
pub(crate) fn flex_on_bodies(flexes: &str) -> Model {
    let slides: String = ["1 0 0", "0 1 0", "0 0 1"]
        .map(|axis| format!("<joint type='slide' axis='{axis}'/>"))
        .concat();
    load(&format!(
        "<mujoco xmlns:ferrodyn='urn:ferrodyn'><option gravity='0 0 0' timestep='.001'><flag contact='disable'/></option><worldbody>\
         <body name='free'><freejoint/><geom size='.1' mass='1'/></body>\
         <body name='slides' pos='1 0 .2'>{slides}<geom size='.1' mass='1'/>\
         <body name='hinge' pos='.3 .2 0'><joint axis='0 1 1'/><geom size='.1' pos='.1 0 0' mass='1'/></body></body>\
         <body name='still' pos='0 1 .4'><geom size='.1'/></body></worldbody>\
         <deformable>{flexes}</deformable></mujoco>"
    ))
}

/// A flex of [`flex_on_bodies`] with five vertices.
pub(crate) fn on_bodies(dim: usize, elements: &str, children: &str) -> Model {
    flex_on_bodies(&format!(
        "<flex name='f' dim='{dim}' body='free slides hinge still free' \
         vertex='0 .1 .2  .1 0 0  0 .3 .1  .2 .1 0  .3 -.2 .5' element='{elements}'>{children}<contact selfcollide='none'/></flex>"
    ))
}

/// A state off the rest pose in which nothing is special: small displacements, velocities of the size of one.
pub(crate) fn stirred(model: &Model) -> Data {
    let mut data = model.make_data();
    // fractions of a number that is no fraction: they look random, and are the same everywhere
    let noise = |i: usize, seed: f64| (i as f64 * 0.618_034 + seed).fract() - 0.5;
    let displacement: Vec<f64> = (0..model.nv).map(|i| 0.04 * noise(i, 0.1)).collect();
    integrate_pos(model, data.qpos_mut(), &displacement, 1.0);
    for (i, v) in data.qvel_mut().iter_mut().enumerate() {
        *v = 2.0 * noise(i, 0.7);
    }
    data.forward(model).unwrap();
    data
}

/// Central differences of some numbers of a world by its configuration, along each degree of freedom.
pub(crate) fn by_configuration(
    model: &Model,
    data: &Data,
    read: impl Fn(&Data) -> Vec<f64>,
) -> Vec<Vec<f64>> {
    // the error of central differences is of the order of its square, that of rounding 1e-16 over it
    const EPS: f64 = 1e-5;
    let at = |dof: usize, by: f64| {
        let mut moved = data.clone();
        let mut direction = vec![0.0; model.nv];
        direction[dof] = by;
        integrate_pos(model, moved.qpos_mut(), &direction, 1.0);
        moved.forward(model).unwrap();
        read(&moved)
    };
    let column = |dof: usize| {
        let (plus, minus) = (at(dof, EPS), at(dof, -EPS));
        plus.iter().zip(&minus).map(|(a, b)| (a - b) / (2.0 * EPS)).collect()
    };
    (0..model.nv).map(column).collect()
}

/// A row of a sparse matrix as it would be without zeros left out.
pub(crate) fn dense_row(nv: usize, columns: &[i32], values: &[f64]) -> Vec<f64> {
    let mut row = vec![0.0; nv];
    for (column, value) in columns.iter().zip(values) {
        row[*column as usize] = *value;
    }
    row
}
