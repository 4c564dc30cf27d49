//! The tables of options, visual settings and statistics.

/// Calls `$callback!` with every physics option as `(name, type, default, "documentation")`. MuJoCo: `mj_defaultOption`.
#[macro_export]
macro_rules! option_fields {
    ($callback:path) => {
        $callback! {
            Options, "Options of the physics.";
            (timestep, Real, 0.002, "time step in seconds")
            (impratio, Real, 1.0, "ratio of friction to normal contact impedance")
            (tolerance, Real, 1e-8, "tolerance of the constraint solver, of the scaled improvement and gradient")
            (ls_tolerance, Real, 0.01, "tolerance of its line search, relative to `tolerance`")
            (noslip_tolerance, Real, 1e-6, "tolerance of the noslip solver")
            (ccd_tolerance, Real, 1e-6, "tolerance of convex collision detection")
            (sleep_tolerance, Real, 1e-4, "velocity below which a tree may fall asleep, in m/s or rad/s")
            (gravity, Vec3, Vec3([0.0, 0.0, -9.81]), "gravitational acceleration, in m/s²")
            (wind, Vec3, Vec3([0.0; 3]), "velocity of the medium, in m/s")
            (magnetic, Vec3, Vec3([0.0, -0.5, 0.0]), "magnetic flux, in T")
            (density, Real, 0.0, "density of the medium, in kg/m³")
            (viscosity, Real, 0.0, "viscosity of the medium, in Pa s")
            (o_margin, Real, 0.0, "margin of all contacts in m, when overridden")
            (o_solref, [Real; 2], [0.02, 1.0], "reference parameters of all contacts, when overridden")
            (o_solimp, [Real; 5], [0.9, 0.95, 0.001, 0.5, 2.0], "impedance parameters of all contacts, when overridden")
            (o_friction, [Real; 5], [1.0, 1.0, 0.005, 0.0001, 0.0001], "friction of all contacts, when overridden")
            (integrator, i32, 0, "integrator (`Integrator`)")
            (cone, i32, 0, "friction cone (`Cone`)")
            (jacobian, i32, 2, "storage of the constraint Jacobian (`JacobianType`)")
            (solver, i32, 2, "constraint solver (`Solver`)")
            (iterations, i32, 100, "largest number of solver iterations")
            (ls_iterations, i32, 50, "largest number of line-search iterations")
            (noslip_iterations, i32, 0, "largest number of noslip iterations")
            (ccd_iterations, i32, 35, "largest number of convex collision iterations")
            (disableflags, i32, 0, "switched-off features (`DisableBit`)")
            (enableflags, i32, 0, "switched-on features (`EnableBit`)")
            (disableactuator, i32, 0, "switched-off actuator groups, one bit each")
            (sdf_initpoints, i32, 40, "number of starting points of SDF collision detection")
            (sdf_iterations, i32, 10, "largest number of SDF collision iterations")
            (deformable_solref, [Real; 2], [0.02, 1.0], "reference parameters of contacts of deformable bodies: an extension")
            (deformable_solimp, [Real; 5], [0.9, 0.95, 0.001, 0.5, 2.0], "impedance parameters of contacts of deformable bodies, which their solver does not use: an extension")
            (deformable_condim, i32, 3, "dimension of contacts of deformable bodies, 1 without friction: an extension")
            (deformable_iterations, i32, 1, "how often a step looks for contacts of deformable bodies, 1 to 4: an extension")
            (xpbd_substeps, i32, 4, "substeps of position-based contacts: an extension")
            (xpbd_iterations, i32, 8, "sweeps over the contacts in each of their substeps: an extension")
        }
    };
}

/// Calls `$callback!` with every statistic as `(name, type, default, "documentation")`.
#[macro_export]
macro_rules! statistic_fields {
    ($callback:path) => {
        $callback! {
            Statistic, "Statistics of the model at `qpos0`.";
            (meaninertia, Real, 1.0, "mean diagonal inertia, in kg or kg m²")
            (meanmass, Real, 1.0, "mean body mass, in kg")
            (meansize, Real, 0.2, "mean body size, in m")
            (extent, Real, 2.0, "spatial extent, in m")
            (center, Vec3, Vec3([0.0; 3]), "centre of the model, in m")
        }
    };
}

/// Calls `$callback!` with every group of visual settings as
/// `(name, Type, "documentation", [(name, type, default, "documentation") ...])`. MuJoCo: `mj_defaultVisual`.
#[macro_export]
macro_rules! visual_groups {
    ($callback:path) => {
        $callback! {
            (global, VisualGlobal, "Global visual settings.", [
                (cameraid, i32, -1, "initial camera, -1 for the free camera")
                (orthographic, i32, 0, "is the free camera orthographic")
                (fovy, f32, 45.0, "vertical field of view of the free camera")
                (ipd, f32, 0.068, "distance between the eyes of the free camera, in m")
                (azimuth, f32, 90.0, "initial azimuth of the free camera in degrees")
                (elevation, f32, -45.0, "initial elevation of the free camera in degrees")
                (linewidth, f32, 1.0, "width of lines")
                (glow, f32, 0.3, "glow of the selected body")
                (realtime, f32, 1.0, "initial speed relative to real time")
                (offwidth, i32, 640, "width of the off-screen buffer")
                (offheight, i32, 480, "height of the off-screen buffer")
                (ellipsoidinertia, i32, 0, "draw inertias as ellipsoids")
                (bvactive, i32, 1, "draw active bounding volumes")
            ])
            (quality, VisualQuality, "Rendering quality.", [
                (shadowsize, i32, 4096, "size of the shadow map")
                (offsamples, i32, 4, "number of off-screen samples")
                (numslices, i32, 28, "number of slices of round shapes")
                (numstacks, i32, 16, "number of stacks of round shapes")
                (numquads, i32, 4, "number of quads of boxes")
            ])
            (headlight, VisualHeadlight, "The light at the camera.", [
                (ambient, [f32; 3], [0.1; 3], "ambient colour")
                (diffuse, [f32; 3], [0.4; 3], "diffuse colour")
                (specular, [f32; 3], [0.5; 3], "specular colour")
                (active, i32, 1, "is it on")
            ])
            (map, VisualMap, "Scaling of quantities to the picture.", [
                (stiffness, f32, 100.0, "stiffness of mouse perturbations")
                (stiffnessrot, f32, 500.0, "rotational stiffness of mouse perturbations")
                (force, f32, 0.005, "length of a unit force")
                (torque, f32, 0.1, "length of a unit torque")
                (alpha, f32, 0.3, "transparency")
                (fogstart, f32, 3.0, "where fog begins, in extents")
                (fogend, f32, 10.0, "where fog ends, in extents")
                (znear, f32, 0.01, "near clipping plane, in extents")
                (zfar, f32, 50.0, "far clipping plane, in extents")
                (haze, f32, 0.3, "share of haze")
                (shadowclip, f32, 1.0, "clipping of directional shadows, in extents")
                (shadowscale, f32, 0.6, "scale of spot-light shadows")
                (actuatortendon, f32, 2.0, "width of tendons with actuators")
            ])
            (scale, VisualScale, "Sizes of decorations, in mean body sizes.", [
                (forcewidth, f32, 0.1, "width of force arrows")
                (contactwidth, f32, 0.3, "width of contacts")
                (contactheight, f32, 0.1, "height of contacts")
                (connect, f32, 0.2, "width of connecting capsules")
                (com, f32, 0.4, "radius of centres of mass")
                (camera, f32, 0.3, "size of cameras")
                (light, f32, 0.3, "size of lights")
                (selectpoint, f32, 0.2, "size of the selection point")
                (jointlength, f32, 1.0, "length of joints")
                (jointwidth, f32, 0.1, "width of joints")
                (actuatorlength, f32, 0.7, "length of actuators")
                (actuatorwidth, f32, 0.2, "width of actuators")
                (framelength, f32, 1.0, "length of frame axes")
                (framewidth, f32, 0.1, "width of frame axes")
                (constraint, f32, 0.1, "width of constraints")
                (slidercrank, f32, 0.2, "width of slider-cranks")
                (frustum, f32, 10.0, "far plane of camera frusta")
            ])
            (rgba, VisualRgba, "Colours of decorations.", [
                (fog, [f32; 4], [0.0, 0.0, 0.0, 1.0], "fog")
                (haze, [f32; 4], [1.0, 1.0, 1.0, 1.0], "haze")
                (force, [f32; 4], [1.0, 0.5, 0.5, 1.0], "applied force")
                (inertia, [f32; 4], [0.8, 0.2, 0.2, 0.6], "inertia")
                (joint, [f32; 4], [0.2, 0.6, 0.8, 1.0], "joint")
                (actuator, [f32; 4], [0.2, 0.25, 0.2, 1.0], "actuator at rest")
                (actuatornegative, [f32; 4], [0.2, 0.6, 0.9, 1.0], "actuator at its lower limit")
                (actuatorpositive, [f32; 4], [0.9, 0.4, 0.2, 1.0], "actuator at its upper limit")
                (com, [f32; 4], [0.9, 0.9, 0.9, 1.0], "centre of mass")
                (camera, [f32; 4], [0.6, 0.9, 0.6, 1.0], "camera")
                (light, [f32; 4], [0.6, 0.6, 0.9, 1.0], "light")
                (selectpoint, [f32; 4], [0.9, 0.9, 0.1, 1.0], "selection point")
                (connect, [f32; 4], [0.2, 0.2, 0.8, 1.0], "connecting capsules")
                (contactpoint, [f32; 4], [0.9, 0.6, 0.2, 1.0], "contact point")
                (contactforce, [f32; 4], [0.7, 0.9, 0.9, 1.0], "contact force")
                (contactfriction, [f32; 4], [0.9, 0.8, 0.4, 1.0], "contact friction")
                (contacttorque, [f32; 4], [0.9, 0.7, 0.9, 1.0], "contact torque")
                (contactgap, [f32; 4], [0.5, 0.8, 0.9, 1.0], "contact within the gap")
                (rangefinder, [f32; 4], [1.0, 1.0, 0.1, 1.0], "range finder")
                (constraint, [f32; 4], [0.9, 0.0, 0.0, 1.0], "constraint")
                (slidercrank, [f32; 4], [0.5, 0.3, 0.8, 1.0], "slider-crank")
                (crankbroken, [f32; 4], [0.9, 0.0, 0.0, 1.0], "crank out of reach")
                (frustum, [f32; 4], [1.0, 1.0, 0.0, 0.2], "camera frustum")
                (bv, [f32; 4], [0.0, 1.0, 0.0, 0.5], "bounding volume")
                (bvactive, [f32; 4], [1.0, 0.0, 0.0, 0.5], "active bounding volume")
            ])
        }
    };
}
