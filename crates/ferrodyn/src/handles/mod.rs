//! Typed handles of the objects of a model, by name.
//!
//! A handle is the number of an object together with where its values lie. It is small, `Copy`, and borrows nothing: look
//! it up once, keep it wherever a program keeps things, and ask it for values while the world goes on.
//!
//! ```
//! use ferrodyn::prelude::*;
//! let mut model = load_model(
//!     "<mujoco><worldbody><body name='thigh'><joint name='hip' axis='0 1 0' range='-60 60'/>
//!      <geom type='capsule' fromto='0 0 0 0 0 -.4' size='.05'/></body></worldbody>
//!      <actuator><motor name='drive' joint='hip'/></actuator></mujoco>",
//! )?;
//! let (hip, drive) = (model.joint("hip")?, model.actuator("drive")?);
//! let mut data = model.make_data();
//!
//! hip.qpos_mut(&mut data)[0] = 0.1; // as many values as the joint has
//! drive.set_ctrl(&mut data, 2.0); // one value
//! data.step(&model)?;
//! assert!(drive.force(&data) == 2.0 && hip.qvel(&data)[0] > 0.0);
//!
//! model.edit(|m| hip.damping_mut(m)[0] = 0.5); // models are changed where they are edited
//! assert_eq!(hip.body(&model).name(&model), "thigh");
//! # Ok::<(), ferrodyn::Error>(())
//! ```
//!
//! # One way to ask
//!
//! It is always `handle.value(&data)` or `handle.value(&model)`: the handle first, then whom it asks. Results and state are
//! asked of the data, parameters and relations of the model, so a call shows where its number comes from. The other order,
//! `data.joint(hip).qpos()`, needs a borrowing view between the two, and two of them cannot be kept while one writes;
//! handles never stand in the way of the borrow checker.
//!
//! - A value of fixed size is returned by value and has a function `set_…` if it can be changed: `set_ctrl(&mut data, 2.0)`.
//! - Values whose number depends on the object are a slice, and have a function `…_mut`: `qpos_mut(&mut data)[0] = 0.1`.
//! - Names are MuJoCo's, without the prefix of their kind: `geom_friction` is [`Geom::friction`].
//! - Functions on models take [`ModelArrays`], which `&model` becomes by itself, so that they also work
//!   within [`Model::edit`](crate::Model::edit) and in hooks.
//!
//! Handles come from names ([`Model::joint`](crate::Model::joint); a name that is not there is a [`NameError`] with a close
//! match), from lists ([`Model::joints`](crate::Model::joints)), from numbers ([`Joint::from_id`]) and from each other
//! ([`Body::joints`], [`Geom::body`]).
//!
//! # A handle of another model
//!
//! A handle works with every model of the same structure, such as a clone with other parameters, and with every
//! world in which everything lies at the same place. Fingerprints of both are in the handle and are compared at each use.
//! With anything else it **panics**, in words and at the place of the call, as an index beyond the end of a slice does: it is
//! a mistake in the program, and neither a wrong number nor an error to handle at each read would be better. A program
//! that cannot know asks first: [`Joint::belongs_to`] and [`Joint::fits`].
//!
//! ```should_panic
//! # use ferrodyn::prelude::*;
//! # let text = |joints: &str| format!("<mujoco><worldbody><body>{joints}<geom size='.1'/></body></worldbody></mujoco>");
//! # let one = load_model(&text("<joint name='hip'/>")).unwrap();
//! # let two = load_model(&text("<joint name='hip'/><joint axis='1 0 0'/>")).unwrap();
//! let hip = one.joint("hip").unwrap();
//! assert!(!hip.belongs_to(&two) && !hip.fits(&two.make_data()));
//! hip.qpos(&two.make_data()); // the handle of joint 0 belongs to another model than this data
//! ```
mod actuator;
mod asset;
mod body;
mod camera;
mod equality;
mod error;
mod geom;
mod joint;
mod keyframe;
mod light;
mod place;
mod sensor;
mod site;
mod skin;
mod table;
mod tendon;

pub use actuator::Actuator;
pub use asset::{Material, Mesh};
pub use body::Body;
pub use camera::Camera;
pub use equality::Equality;
pub use error::NameError;
pub use geom::Geom;
pub use joint::Joint;
pub use keyframe::Keyframe;
pub use light::Light;
pub(crate) use place::layout;
use place::{Handle, Place};
pub use sensor::Sensor;
pub use site::Site;
pub use skin::{Skin, SkinSurface};
pub use tendon::Tendon;

use crate::ModelArrays;

/// The handle of the object with a name.
fn find<H: Handle>(m: &ModelArrays, name: &str) -> Result<H, NameError> {
    let id = m.id(H::KIND, name).ok_or_else(|| NameError::new(m, H::KIND, H::NOUN, name))?;
    Ok(H::make(m, Place::first(m).with_id(id)))
}

/// The handle of the object with a number.
fn at<H: Handle>(m: &ModelArrays, id: usize) -> Option<H> {
    (id < m.count(H::KIND)).then(|| H::make(m, Place::first(m).with_id(id)))
}

/// The handles of all objects of a kind.
fn all<H: Handle>(m: &ModelArrays) -> impl ExactSizeIterator<Item = H> {
    let first = Place::first(m);
    (0..m.count(H::KIND)).map(move |id| H::make(m, first.with_id(id)))
}
