//! Models that several stages are tested with.
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
