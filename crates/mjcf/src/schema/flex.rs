//! Rows of deformable objects.

use ferrodyn_model::defaults::{FRICTION, SOLIMP, SOLREF};
use ferrodyn_model::{FlexBendingType, FlexElasticityType, FlexSelf};

use super::{GREY, NONE, attributes};
use crate::keywords::{
    Elastic2d, FlexEquality, FlexcompDof, FlexcompKind, FlexcompSolver, SoftMaterial,
};
use crate::pose::UNIT;
use crate::values::{NameList, Orientation, Partial, RawQuat};

attributes! {
    /// Attributes of `<deformable><flex>`.
    FlexAttrs {
        "group" => group: i32 = 0 => flex_group fill, "Group for display.";
        "dim" => dim: i32 = 2 => flex_dim fill, "1: lines, 2: triangles, 3: tetrahedra.";
        "radius" => radius: f64 = 0.005 => flex_radius fill, "Radius around each element, in m.";
        "material" => material: String = NONE, "Name of the material.";
        "rgba" => rgba: [f32; 4] = GREY => flex_rgba fill, "Colour.";
        "flatskin" => flatskin: bool = false => flex_flatskin fill, "Whether the surface is drawn with flat shading.";
        "body" => body: NameList = NameList::default(), "Names of the bodies of the vertices; one name stands for all.";
        "vertex" => vertex: Vec<f64> = Vec::new(), "Positions of the vertices in the frames of their bodies, in m.";
        "element" => element: Vec<i32> = Vec::new(), "Vertices of each element.";
        "texcoord" => texcoord: Vec<f32> = Vec::new(), "Texture coordinates.";
        "elemtexcoord" => elemtexcoord: Vec<i32> = Vec::new(), "Texture coordinates of the corners of each element.";
        "node" => node: NameList = NameList::default(), "Names of the bodies of the nodes between which vertices are interpolated.";
        "ferrodyn:bending_model" => bending_model: FlexBendingType = FlexBendingType::Unstated => flex_bending_model fill,
            "How triangles resist bending.";
        "ferrodyn:bend_stiffness" => bend_stiffness: f64 = -1.0 => flex_bend_stiffness fill,
            "Stiffness of Bridson's hinges, in N m/rad; without it, that of a plate of the material.";
        "ferrodyn:bend_damping" => bend_damping: f64 = 0.0 => flex_bend_damping fill, "Damping of Bridson's hinges, in N m s/rad.";
        "ferrodyn:elasticity_model" => elasticity_model: FlexElasticityType = FlexElasticityType::Unstated => flex_elasticity_model fill,
            "How elements resist deformation.";
        "@nodepos" => nodepos: Vec<f64> = Vec::new(), "Positions of the nodes in the frames of their bodies, in m.";
    }

    /// Attributes of `<contact>` in a flex.
    FlexContactAttrs {
        "contype" => contype: i32 = 1 => flex_contype fill, "Bits of contact types.";
        "conaffinity" => conaffinity: i32 = 1 => flex_conaffinity fill, "Bits of contact affinities.";
        "condim" => condim: i32 = 3 => flex_condim fill, "Dimension of the contact space.";
        "priority" => priority: i32 = 0 => flex_priority fill, "Priority of the contact parameters.";
        "friction" => friction: Partial<3> = FRICTION => flex_friction fill, "Friction: sliding, torsional, rolling.";
        "solmix" => solmix: f64 = 1.0 => flex_solmix fill, "Weight when contact parameters are mixed.";
        "solref" => solref: Partial<2> = SOLREF => flex_solref fill, "Reference of the contact constraint.";
        "solimp" => solimp: Partial<5> = SOLIMP => flex_solimp fill, "Impedance of the contact constraint.";
        "margin" => margin: f64 = 0.0 => flex_margin fill, "Distance at which a contact is detected, in m.";
        "gap" => gap: f64 = 0.0 => flex_gap fill, "Part of the margin without force, in m.";
        "internal" => internal: bool = false => flex_internal fill,
            "Whether elements collide with vertices next to them.";
        "selfcollide" => selfcollide: FlexSelf = FlexSelf::Auto => flex_selfcollide fill,
            "How elements that collide with each other are found.";
        "activelayers" => activelayers: i32 = 1 => flex_activelayers fill,
            "Layers of tetrahedra below the surface that collide.";
        "vertcollide" => vertcollide: bool = false, "Whether the vertices of a generated flex have spheres that collide.";
        "passive" => passive: bool = false => flex_passive fill, "Whether contacts are passive forces.";
    }

    /// Attributes of `<edge>` in a flex.
    FlexEdgeAttrs {
        "stiffness" => stiffness: f64 = 0.0 => flex_edgestiffness fill, "Stiffness of edges, in N/m.";
        "damping" => damping: f64 = 0.0 => flex_edgedamping fill, "Damping of edges, in N s/m.";
    }

    /// Attributes of `<elasticity>` in a flex.
    FlexElasticityAttrs {
        "young" => young: f64 = 0.0 => flex_young fill, "Young's modulus, in Pa.";
        "poisson" => poisson: f64 = 0.0 => flex_poisson fill, "Poisson's ratio.";
        "damping" => damping: f64 = 0.0 => flex_damping fill, "Rayleigh damping, in s.";
        "thickness" => thickness: f64 = -1.0 => flex_thickness fill, "Thickness of a shell, in m.";
        "elastic2d" => elastic2d: Elastic2d = Elastic2d::None, "Which forces of a shell are computed.";
    }

    /// Attributes of `<flexcomp>`.
    FlexcompAttrs {
        "type" => kind: FlexcompKind = FlexcompKind::Grid, "How the points are made.";
        "group" => group: i32, "Group for display.";
        "dim" => dim: i32 = 2, "1: lines, 2: triangles, 3: tetrahedra.";
        "dof" => dof: FlexcompDof = FlexcompDof::Full, "How the points move.";
        "count" => count: [i32; 3] = [10; 3], "Number of points along each axis.";
        "spacing" => spacing: [f64; 3] = [0.02; 3], "Distance of the points along each axis, in m.";
        "radius" => radius: f64 = 0.005, "Radius around each element, in m.";
        "rigid" => rigid: bool = false, "Whether all points belong to the body around them.";
        "mass" => mass: f64 = 1.0, "Mass of all points, in kg.";
        "inertiabox" => inertiabox: f64 = 0.005, "Half size of the box that gives a point its inertia, in m.";
        "scale" => scale: [f64; 3] = [1.0; 3], "Factors of the coordinates of given points.";
        "file" => file: String = NONE, "File with points and elements.";
        "point" => point: Vec<f64> = Vec::new(), "Points, in m.";
        "element" => element: Vec<i32> = Vec::new(), "Points of each element.";
        "texcoord" => texcoord: Vec<f32> = Vec::new(), "Texture coordinates of the points.";
        "material" => material: String, "Name of the material.";
        "rgba" => rgba: [f32; 4], "Colour.";
        "flatskin" => flatskin: bool, "Whether the surface is drawn with flat shading.";
        "pos" => pos: [f64; 3] = [0.0; 3], "Position in the frame of the body, in m.";
        "quat" => quat: RawQuat = UNIT, "Orientation in the frame of the body.";
        "axisangle" | "xyaxes" | "zaxis" | "euler" => alt: Orientation, "Orientation, in another form.";
        "origin" => origin: [f64; 3] = [0.0; 3], "Point that tetrahedra of a mesh share, in m.";
        "ferrodyn:solver" => solver: FlexcompSolver, "What moves the points in place of bodies of their own.";
        "ferrodyn:substeps" => substeps: i32 = 10, "Substeps of that solver in a step.";
        "ferrodyn:iterations" => iterations: i32 = 1, "Iterations of that solver in a substep.";
        "ferrodyn:damping" => drag: f64 = 0.2, "Rate at which velocities decay with that solver, in 1/s.";
        "ferrodyn:material" => softmaterial: SoftMaterial, "What the body is made of with that solver.";
        "ferrodyn:stretch" => stretch: f64, "Compliance of edges with that solver, in m/N.";
        "ferrodyn:bend" => bend: f64, "Compliance of bends with that solver.";
        "ferrodyn:volume" => volume: f64, "Compliance of volumes with that solver, in m³/Pa.";
        "ferrodyn:bending_model" => bending_model: FlexBendingType, "How triangles resist bending.";
        "ferrodyn:bend_stiffness" => bend_stiffness: f64, "Stiffness of Bridson's hinges, in N m/rad.";
        "ferrodyn:bend_damping" => bend_damping: f64, "Damping of Bridson's hinges, in N m s/rad.";
        "ferrodyn:elasticity_model" => elasticity_model: FlexElasticityType, "How elements resist deformation.";
    }

    /// Attributes of `<edge>` in `<flexcomp>`.
    FlexcompEdgeAttrs {
        "equality" => equality: FlexEquality = FlexEquality::None, "What equality constraints hold.";
        "solref" => solref: Partial<2> = SOLREF, "Reference of the constraint.";
        "solimp" => solimp: Partial<5> = SOLIMP, "Impedance of the constraint.";
        "stiffness" => stiffness: f64, "Stiffness of edges, in N/m.";
        "damping" => damping: f64, "Damping of edges, in N s/m.";
    }

    /// Attributes of `<pin>` in `<flexcomp>`: points that belong to the body around them.
    PinAttrs {
        "id" => id: Vec<i32> = Vec::new(), "Points.";
        "range" => range: Vec<i32> = Vec::new(), "First and last points.";
        "grid" => grid: Vec<i32> = Vec::new(), "Points by their coordinates in the grid.";
        "gridrange" => gridrange: Vec<i32> = Vec::new(), "First and last corners in the grid.";
    }
}
