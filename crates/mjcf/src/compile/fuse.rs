//! Fuses bodies that cannot move against their parents into them.

use std::collections::{BTreeMap, BTreeSet};

use ferrodyn_math::MIN_VAL;
use ferrodyn_model::{ObjType, SensorType};

use super::body::geom_bvh;
use super::index::{Index, new_numbers};
use super::objects::{Body, Geom, Objects};
use super::resolve::Elements;
use crate::attach::referenced;
use crate::pose::{self, Pose, double, offset_inertia, principal_inertia, rotated_inertia};
use crate::spec::Spec;

/// Bodies that something refers to by name, which stay.
fn referenced_bodies(spec: &Spec, elements: &Elements<'_>) -> BTreeSet<String> {
    let mut names = referenced(spec, ObjType::Body);
    names.extend(elements.cameras.items.iter().filter_map(|c| c.attr.target.clone()));
    names.extend(elements.lights.items.iter().filter_map(|l| l.attr.target.clone()));
    names
}

/// Sites that measure a force between a body and its parent.
fn measured_sites(spec: &Spec) -> BTreeSet<&str> {
    let measures = |kind| matches!(kind, SensorType::Force | SensorType::Torque);
    let sensors = spec.sensors.iter().filter(|s| measures(s.attr.kind));
    sensors.filter_map(|s| s.attr.attr.site.as_deref()).collect()
}

/// Adds the mass of a body to its parent. MuJoCo applies the pose of the body within its inertial
/// frame, and keeps its principal axes as they are; so does this.
fn add_mass(parent: &mut Body, body: &Body) -> Result<(), &'static str> {
    let offset = body.inertial.then(&body.pose).pos;
    let parts = [
        (parent.mass, parent.inertia, parent.inertial.pos, parent.inertial.quat),
        (body.mass, body.inertia, offset, body.inertial.quat),
    ];
    let mass: f64 = parts.iter().map(|p| p.0).sum();
    if mass < double(MIN_VAL) {
        parent.mass = 0.0;
        parent.inertia = [0.0; 3];
        parent.inertial = Pose::NULL;
        return Ok(());
    }
    let mut center = [0.0; 3];
    for (mass, _, pos, _) in &parts {
        for k in 0..3 {
            center[k] += mass * pos[k];
        }
    }
    let center = center.map(|x| x / mass);
    let mut full = [0.0; 6];
    for (mass, inertia, pos, quat) in &parts {
        let own = rotated_inertia(inertia, quat);
        let moved = offset_inertia(*mass, &pose::sub(pos, &center));
        for k in 0..6 {
            full[k] += own[k] + moved[k];
        }
    }
    let (inertia, quat) = principal_inertia(&full)?;
    parent.mass = mass;
    parent.inertia = inertia;
    parent.inertial = Pose { pos: center, quat };
    Ok(())
}

/// A body while others are fused into it: its geoms and sites, in order.
struct Node {
    body: Body,
    geoms: Vec<usize>,
    sites: Vec<usize>,
}

impl Node {
    /// Makes the tree of boxes again. An inner node where a leaf was before keeps the geom of that
    /// leaf: MuJoCo does not forget it.
    fn rebuild_tree(&mut self, geoms: &[Geom]) {
        if self.geoms.is_empty() {
            return;
        }
        let mut tree = geom_bvh(geoms, self.geoms.iter().copied(), &self.body.inertial);
        for (new, old) in tree.nodeid.iter_mut().zip(&self.body.bvh.nodeid) {
            if *new < 0 {
                *new = *old;
            }
        }
        self.body.bvh = tree;
    }
}

/// Fuses what can be fused; the objects of the tree get new numbers. Returns how many nodes of
/// bounding-volume trees the model has beside those that are used.
pub(super) fn fuse_static(
    spec: &Spec,
    elements: &mut Elements<'_>,
    objects: &mut Objects,
    index: &mut Index<'_>,
) -> Result<usize, &'static str> {
    let names = referenced_bodies(spec, elements);
    let measured = measured_sites(spec);
    let total = objects.bodies.len();
    let mut nodes: Vec<Node> = core::mem::take(&mut objects.bodies)
        .into_iter()
        .enumerate()
        .map(|(i, body)| Node {
            body,
            geoms: elements.geoms.of_body(i).collect(),
            sites: elements.sites.of_body(i).collect(),
        })
        .collect();
    // where each body went: itself, or the one that it was fused into
    let mut host: Vec<usize> = (0..total).collect();
    let mut gone = vec![false; total];
    // where MuJoCo looks for the bodies that are referred to: their numbers are not brought up to
    // date when others go, and a number beyond the end keeps every body with a name
    let mut looked_up: BTreeMap<&str, usize> = (nodes.iter().enumerate())
        .map(|(i, n)| (spec.bodies[n.body.source].name.as_str(), i))
        .filter(|(name, _)| names.contains(*name))
        .collect();
    let (mut left, mut next) = (total, 0);
    let mut spare = 0_isize;
    for i in 1..total {
        next += 1;
        let name = &spec.bodies[nodes[i].body.source].name;
        let measures = |s: &usize| measured.contains(elements.sites.items[*s].name);
        let lost = looked_up.values().any(|id| *id >= left);
        if let Some(id) = looked_up.get_mut(name.as_str()) {
            *id = next;
        }
        let kept = !name.is_empty()
            && (names.contains(name.as_str()) || lost || nodes[i].sites.iter().any(measures));
        let moves = !elements.joints.of_body(i).is_empty();
        let mocap = spec.bodies[nodes[i].body.source].attr.mocap == Some(true);
        let watched =
            !elements.cameras.of_body(i).is_empty() || !elements.lights.of_body(i).is_empty();
        if kept || moves || mocap || watched {
            continue;
        }
        let parent = host[nodes[i].body.parent];
        let body = nodes[i].body.clone();
        if parent != 0 && body.mass >= double(MIN_VAL) {
            add_mass(&mut nodes[parent].body, &body)?;
        }
        for child in nodes.iter_mut().skip(i + 1).filter(|n| n.body.parent == i) {
            child.body.pose = body.pose.then(&child.body.pose);
        }
        let (geoms, sites) =
            (core::mem::take(&mut nodes[i].geoms), core::mem::take(&mut nodes[i].sites));
        for &g in &geoms {
            objects.geoms[g].pose = body.pose.then(&objects.geoms[g].pose);
        }
        for &s in &sites {
            objects.sites[s].pose = body.pose.then(&objects.sites[s].pose);
        }
        nodes[parent].geoms.extend(geoms);
        nodes[parent].sites.extend(sites);
        let size = |node: &Node| node.body.bvh.nodeid.len() as isize;
        let before = size(&nodes[parent]) + size(&nodes[i]);
        nodes[parent].rebuild_tree(&objects.geoms);
        // what the trees have grown by is counted twice
        spare += size(&nodes[parent]) - before;
        host[i] = parent;
        gone[i] = true;
        left -= 1;
        next -= 1;
    }

    // number everything again
    let kept: Vec<usize> = (0..total).filter(|&i| !gone[i]).collect();
    let (number, left) = (new_numbers(&kept, total), kept.len());
    let new_body = |b: usize| number[host[b]].unwrap_or(0);
    index.renumber(ObjType::Body, &number);
    let geom_order: Vec<usize> = nodes.iter().flat_map(|n| n.geoms.clone()).collect();
    let site_order: Vec<usize> = nodes.iter().flat_map(|n| n.sites.clone()).collect();
    let geom_numbers = new_numbers(&geom_order, geom_order.len());
    index.renumber(ObjType::Geom, &geom_numbers);
    index.renumber(ObjType::Site, &new_numbers(&site_order, site_order.len()));
    objects.geoms = geom_order.iter().map(|&g| objects.geoms[g].clone()).collect();
    objects.sites = site_order.iter().map(|&s| objects.sites[s].clone()).collect();
    elements.geoms.reorder(&geom_order, &new_body, left);
    elements.sites.reorder(&site_order, &new_body, left);
    let same = |n: usize| (0..n).collect::<Vec<usize>>();
    elements.joints.reorder(&same(objects.joints.len()), &new_body, left);
    elements.cameras.reorder(&same(objects.cameras.len()), &new_body, left);
    elements.lights.reorder(&same(objects.lights.len()), &new_body, left);
    for camera in &mut objects.cameras {
        camera.target = camera.target.map(new_body);
    }
    for light in &mut objects.lights {
        light.target = light.target.map(new_body);
    }
    for (i, node) in nodes.into_iter().enumerate().filter(|(i, _)| !gone[*i]) {
        let mut body = node.body;
        body.parent = new_body(body.parent);
        let id = objects.bodies.len();
        let moves = !elements.joints.of_body(id).is_empty();
        body.weld = match id {
            0 => 0,
            _ if moves => id,
            _ => objects.bodies[body.parent].weld,
        };
        let geoms = &objects.geoms[elements.geoms.of_body(id)];
        body.contype = geoms.iter().fold(0, |bits, g| bits | g.contype);
        body.conaffinity = geoms.iter().fold(0, |bits, g| bits | g.conaffinity);
        body.margin = geoms.iter().fold(0.0, |most: f64, g| most.max(g.margin));
        for node in body.bvh.nodeid.iter_mut().filter(|node| **node >= 0) {
            *node = super::fill::index(geom_numbers[*node as usize]);
        }
        debug_assert_eq!(number[i], Some(id));
        objects.bodies.push(body);
    }
    Ok(usize::try_from(spare).unwrap_or(0))
}
