//! What a model holds but a step leaves out is told.
use ferrodyn_mjcf::{LoadOptions, Spec};

fn warnings(option: &str) -> Vec<String> {
    let xml = format!(
        "<mujoco>{option}<worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 1'>\
         <joint range='-10 10' frictionloss='.1'/><geom size='.1'/></body></worldbody></mujoco>"
    );
    let spec = Spec::from_xml_str(&xml, &LoadOptions::default()).unwrap();
    spec.compile().unwrap().warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn limits_friction_loss_and_contacts_are_named() {
    let found = warnings("");
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].contains("limits of 1 joints"));
    assert!(found[1].contains("friction loss of 1 degrees"));
    assert!(found[2].contains("contacts"));
}

#[test]
fn what_the_model_switches_off_is_not_named() {
    assert!(warnings("<option><flag constraint='disable'/></option>").is_empty());
    assert_eq!(warnings("<option><flag contact='disable' limit='disable'/></option>").len(), 1);
}
