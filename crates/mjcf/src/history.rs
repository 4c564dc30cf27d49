//! Parts of the model language that earlier versions of MuJoCo had: which version removed them, and
//! what takes their place.

/// An attribute, a value or a plugin that no longer exists.
struct Removed {
    /// The element that had the attribute.
    element: &'static str,
    name: &'static str,
    version: &'static str,
    advice: &'static str,
}

macro_rules! removed {
    ($($element:literal $name:literal $version:literal $advice:literal;)*) => {
        &[$(Removed { element: $element, name: $name, version: $version, advice: $advice },)*]
    };
}

/// Attributes that were removed.
const ATTRIBUTES: &[Removed] = removed! {
    "option" "apirate" "3.3.7" "it had no effect, leave it out";
    "option" "collision" "3.0.0"
        "give all geoms contype=\"0\" conaffinity=\"0\" in place of 'predefined', and leave out \
         the contact pairs in place of 'dynamic'";
    "option" "mpr_tolerance" "3.2.3" "it is now called 'ccd_tolerance'";
    "option" "mpr_iterations" "3.2.3" "it is now called 'ccd_iterations'";
    "flag" "passive" "3.3.6" "use 'spring' and 'damper'";
    "flag" "sensornoise" "3.1.4" "add noise to the sensor data in the program";
    "compiler" "convexhull" "3.2.5" "hulls are made where collisions need them, leave it out";
    "compiler" "exactmeshinertia" "3.2.5" "use <mesh inertia=\"exact\"/>";
    "camera" "orthographic" "3.5.0" "use projection=\"orthographic\"";
};

/// Plugins that were removed.
const PLUGINS: &[Removed] = removed! {
    "plugin" "mujoco.elasticity.solid" "3.2.4" "use a flex of dimension 3 with <elasticity>";
    "plugin" "mujoco.elasticity.membrane" "3.2.4" "use a flex of dimension 2 with <elasticity>";
    "plugin" "mujoco.elasticity.shell" "3.3.3" "use a flex of dimension 2 with 'elastic2d'";
    "plugin" "mujoco.sdf.sdflib" "3.3.5" "use a geom of type 'sdf' with a mesh";
};

/// Types of composite objects that were removed.
const COMPOSITES: &[Removed] = removed! {
    "composite" "particle" "3.3.0" "use <replicate>";
    "composite" "grid" "3.3.0" "use <flexcomp>";
    "composite" "rope" "3.2.6" "use type=\"cable\"";
    "composite" "loop" "3.2.6" "use <flexcomp>";
    "composite" "cloth" "3.0.0" "use <flexcomp>";
    "composite" "box" "3.2.5" "use <flexcomp>";
    "composite" "cylinder" "3.2.5" "use <flexcomp>";
    "composite" "ellipsoid" "3.2.5" "use <flexcomp>";
};

fn find(table: &[Removed], element: &str, name: &str) -> Option<String> {
    let removed = table.iter().find(|r| r.element == element && r.name == name)?;
    Some(format!("removed in MuJoCo {}: {}", removed.version, removed.advice))
}

/// What became of an attribute.
pub(crate) fn removed_attribute(element: &str, name: &str) -> Option<String> {
    find(ATTRIBUTES, element, name)
}

/// What became of a plugin.
pub(crate) fn removed_plugin(name: &str) -> Option<String> {
    find(PLUGINS, "plugin", name)
}

/// What became of a value of an attribute.
pub(crate) fn removed_value(element: &str, attribute: &str, value: &str) -> Option<String> {
    match (element, attribute) {
        ("composite", "type") => find(COMPOSITES, element, value),
        _ => None,
    }
}
