//! Deformable bodies of a world that owns its memory.
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use ferrodyn_math::{Real, Vec3};
use ferrodyn_soft::{DeformableBody, Material, Shape, SoftError, SolverConfig, VertexFlags};

use super::scene::SceneBody;
use super::state::{HEAD_WORDS, SoftHead};
use super::{DeformableContact, Scene, Soft};
use crate::OwnedWorld;
use crate::data::growing::Growing;

/// The blocks of deformable bodies: the state, and the contacts, which grow.
#[derive(Debug)]
pub(crate) struct OwnedSoft {
    pub(crate) scene: Arc<Scene>,
    pub(crate) state: Vec<u64>,
    pub(crate) contacts: Growing,
}

impl Clone for OwnedSoft {
    fn clone(&self) -> OwnedSoft {
        OwnedSoft {
            scene: self.scene.clone(),
            state: self.state.clone(),
            contacts: self.contacts.clone(),
        }
    }
}

impl OwnedSoft {
    /// A view of them.
    pub(crate) fn view(&mut self) -> Soft<'_> {
        let (contacts, spare) = self.contacts.view(0);
        Soft::new(&self.scene, &mut self.state, contacts, spare)
    }

    /// The state of another world with the same bodies, without allocating where there is room for it.
    pub(crate) fn copy_from(&mut self, other: &OwnedSoft) {
        if Arc::ptr_eq(&self.scene, &other.scene) {
            self.state.copy_from_slice(&other.state);
            self.contacts.copy_from(&other.contacts);
        } else {
            *self = other.clone();
        }
    }

    /// Are bodies and states the same, contacts included?
    pub(crate) fn is_equal(&self, other: &OwnedSoft) -> bool {
        let same = |a: &SceneBody, b: &SceneBody| {
            a.config == b.config && (a.contype, a.conaffinity) == (b.contype, b.conaffinity)
        };
        self.scene.fits(&other.scene)
            && self.scene.bodies.iter().zip(&other.scene.bodies).all(|(a, b)| same(a, b))
            && self.state == other.state
            && self.contacts() == other.contacts()
    }

    /// The contacts that are there.
    fn contacts(&self) -> &[DeformableContact] {
        let count = self.head().contacts as usize;
        let bytes = bytemuck::must_cast_slice::<u64, u8>(self.contacts.last());
        bytemuck::cast_slice(&bytes[..count * size_of::<DeformableContact>()])
    }

    fn head(&self) -> SoftHead {
        let words = &self.state[self.state.len() - HEAD_WORDS..];
        let bytes = bytemuck::must_cast_slice::<u64, u8>(words);
        bytemuck::pod_read_unaligned(&bytes[..size_of::<SoftHead>()])
    }

    /// A world with one more body; the others keep their states.
    fn with(&self, body: SceneBody) -> OwnedSoft {
        let mut bodies = self.scene.bodies.clone();
        bodies.push(body);
        OwnedSoft::new(Scene { bodies, nv: self.scene.nv }, Some(self))
    }

    /// A scene in its first state; bodies that were there before keep theirs.
    pub(crate) fn new(scene: Scene, before: Option<&OwnedSoft>) -> OwnedSoft {
        let mut soft = OwnedSoft {
            state: vec![0; scene.words()],
            scene: Arc::new(scene),
            contacts: Growing::default(),
        };
        let view = soft.view();
        for body in &view.scene.bodies {
            view.x[body.vertices()].copy_from_slice(&body.positions);
            view.v[body.vertices()].copy_from_slice(&body.velocities);
        }
        if let Some(before) = before {
            let mut before = before.clone();
            let old = before.view();
            let count = old.x.len();
            view.x[..count].copy_from_slice(old.x);
            view.v[..count].copy_from_slice(old.v);
            view.f[..count].copy_from_slice(old.f);
        }
        view.next_x.copy_from_slice(view.x);
        view.next_v.copy_from_slice(view.v);
        soft
    }

    /// The parts that make a state, for bytes.
    pub(crate) fn parts(&self) -> [&[u8]; 2] {
        [bytemuck::must_cast_slice(&self.state), bytemuck::must_cast_slice(self.contacts())]
    }

    /// Take the parts over that [`OwnedSoft::parts`] gave for the same bodies.
    pub(crate) fn restore(&mut self, bytes: &mut &[u8]) -> Option<()> {
        let length = size_of_val(&self.state[..]);
        let (state, rest) = bytes.split_at_checked(length)?;
        bytemuck::must_cast_slice_mut::<u64, u8>(&mut self.state).copy_from_slice(state);
        let length = (self.head().contacts as usize).checked_mul(size_of::<DeformableContact>())?;
        let (contacts, rest) = rest.split_at_checked(length)?;
        let (_, mut spare) = self.contacts.view(0);
        let block = spare.grow(length.div_ceil(8).max(1))?;
        bytemuck::must_cast_slice_mut::<u64, u8>(block)[..length].copy_from_slice(contacts);
        *bytes = rest;
        Some(())
    }

    /// Bytes of memory.
    pub(crate) fn memory_size(&self) -> usize {
        size_of_val(&self.state[..]) + size_of_val(self.contacts.last())
    }

    /// Positions and velocities, for fingerprints.
    pub(crate) fn coordinates(&self) -> [&[Real]; 2] {
        let words = ferrodyn_math::words_of::<Vec3>(self.scene.vertex_count());
        let count = 3 * self.scene.vertex_count();
        [0, 1].map(|k| {
            let words = &self.state[k * words..(k + 1) * words];
            let bytes = bytemuck::must_cast_slice::<u64, u8>(words);
            bytemuck::cast_slice(&bytes[..count * size_of::<Real>()])
        })
    }
}

/// A deformable body of a world, to be read.
#[derive(Clone, Copy, Debug)]
pub struct Deformable<'a> {
    shape: &'a Shape,
    config: &'a SolverConfig,
    coordinates: [&'a [Vec3]; 2],
    flags: &'a [VertexFlags],
}

impl<'a> Deformable<'a> {
    /// What stays the same: masses, constraints, elements.
    pub fn shape(&self) -> &'a Shape {
        self.shape
    }

    /// How it is solved.
    pub fn config(&self) -> &'a SolverConfig {
        self.config
    }

    /// Positions of the vertices, in m.
    pub fn positions(&self) -> &'a [Vec3] {
        self.coordinates[0]
    }

    /// Velocities of the vertices, in m/s.
    pub fn velocities(&self) -> &'a [Vec3] {
        self.coordinates[1]
    }

    /// What is known about each vertex.
    pub fn vertex_flags(&self) -> &'a [VertexFlags] {
        self.flags
    }

    /// Inverse masses of the vertices, in 1/kg; zero is pinned.
    pub fn inverse_masses(&self) -> &'a [Real] {
        self.shape.inverse_masses()
    }

    /// What it is made of.
    pub fn material(&self) -> &'a Material {
        self.shape.material()
    }

    /// How far around its vertices it touches others, in m.
    pub fn collision_margin(&self) -> Real {
        self.shape.margin()
    }
}

/// The state of a deformable body of a world, to be changed.
#[derive(Debug)]
pub struct DeformableMut<'a> {
    /// Positions of the vertices, in m; pinned ones can be moved too.
    pub positions: &'a mut [Vec3],
    /// Velocities of the vertices, in m/s.
    pub velocities: &'a mut [Vec3],
    /// Forces from outside on the vertices, in N; they stay until they are set again.
    pub forces: &'a mut [Vec3],
    /// What is known about each vertex.
    pub vertex_flags: &'a mut [VertexFlags],
}

impl DeformableMut<'_> {
    /// Take all forces from outside away.
    pub fn clear_forces(&mut self) {
        self.forces.fill(Vec3::ZERO);
    }
}

/// Deformable bodies. Their state is part of the world: it is copied, compared, reset and written with it.
impl OwnedWorld {
    /// Let a deformable body live in this world from now on, with its present positions and velocities; its number comes back. It collides with the
    /// geoms whose bits fit to those that geoms have by default.
    ///
    /// A body that makes no sense is refused, and the world is as it was.
    pub fn register_deformable(
        &mut self,
        body: &dyn DeformableBody,
        config: SolverConfig,
    ) -> Result<usize, SoftError> {
        self.register_deformable_with(body, config, [1, 1])
    }

    /// [`OwnedWorld::register_deformable`] with bits of contact types and affinities of its own (`contype`, `conaffinity` of geoms).
    pub fn register_deformable_with(
        &mut self,
        body: &dyn DeformableBody,
        config: SolverConfig,
        [contype, conaffinity]: [i32; 2],
    ) -> Result<usize, SoftError> {
        config.check()?;
        body.shape().check(body.positions(), body.velocities())?;
        let empty = OwnedSoft::new(Scene { nv: self.sizes().nv, ..Scene::default() }, None);
        let before = self.soft.as_deref().unwrap_or(&empty);
        let index = before.scene.bodies.len();
        let added = SceneBody {
            shape: Arc::new(body.shape().clone()),
            config,
            first: before.scene.vertex_count(),
            contype,
            conaffinity,
            positions: body.positions().into(),
            velocities: body.velocities().into(),
        };
        self.soft = Some(before.with(added).into());
        Ok(index)
    }

    /// Number of deformable bodies.
    pub fn deformable_count(&self) -> usize {
        self.soft.as_ref().map_or(0, |soft| soft.scene.bodies.len())
    }

    /// A deformable body, by its number.
    pub fn deformable(&self, index: usize) -> Option<Deformable<'_>> {
        let soft = self.soft.as_deref()?;
        let body = soft.scene.bodies.get(index)?;
        let count = soft.scene.vertex_count();
        let coordinates = soft.coordinates();
        let words = ferrodyn_math::words_of::<Vec3>(count);
        let flags = bytemuck::must_cast_slice::<u64, u8>(&soft.state[5 * words..]);
        let flags: &[VertexFlags] = bytemuck::cast_slice(&flags[..count * 4]);
        Some(Deformable {
            shape: &body.shape,
            config: &body.config,
            coordinates: coordinates.map(|all| &bytemuck::cast_slice(all)[body.vertices()]),
            flags: &flags[body.vertices()],
        })
    }

    /// The state of a deformable body, by its number, to be changed.
    pub fn deformable_mut(&mut self, index: usize) -> Option<DeformableMut<'_>> {
        let soft = self.soft.as_deref_mut()?.view();
        let vertices = soft.scene.bodies.get(index)?.vertices();
        // whoever sleeps wakes up
        soft.quiet[index] = 0;
        Some(DeformableMut {
            positions: &mut soft.x[vertices.clone()],
            velocities: &mut soft.v[vertices.clone()],
            forces: &mut soft.f[vertices.clone()],
            vertex_flags: &mut soft.flags[vertices],
        })
    }

    /// Contacts of all deformable bodies with geoms, as the last step or `forward` found them.
    pub fn deformable_contacts(&self) -> &[DeformableContact] {
        self.soft.as_deref().map_or(&[], OwnedSoft::contacts)
    }

    /// What the deformable bodies do to the degrees of freedom, in N or N m: their part of `qfrc_constraint`.
    pub fn deformable_force(&self) -> &[Real] {
        let Some(soft) = self.soft.as_deref() else { return &[] };
        let nv = soft.scene.nv;
        let end = soft.state.len() - HEAD_WORDS;
        let words = &soft.state[end - ferrodyn_math::words_of::<Real>(nv)..end];
        let bytes = bytemuck::must_cast_slice::<u64, u8>(words);
        bytemuck::cast_slice(&bytes[..nv * size_of::<Real>()])
    }
}
