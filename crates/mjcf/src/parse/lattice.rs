//! The points and elements of a `<flexcomp>`: listed, read from a file, or made.

use super::Parser;
use super::flexcomp::Flexcomp;
use crate::disk::CANNOT_FIND;
use crate::error::DiagnosticKind;
use crate::files::Files;
use crate::flexcomp::{Arrangement, Lattice, gmsh, surface_file};
use crate::keywords::{AngleUnit, FlexcompKind};
use crate::mesh::MeshBudget;
use crate::orientation::orientation;
use crate::path;
use crate::pose::{self, Q4};
use crate::schema::FlexcompAttrs;

/// Why a flex was not made.
pub(super) struct Refused {
    pub(super) kind: DiagnosticKind,
    pub(super) message: String,
}

impl Refused {
    /// It would be too large.
    pub(super) fn budget(message: String) -> Self {
        Self { kind: DiagnosticKind::Budget, message }
    }
}

impl From<String> for Refused {
    fn from(message: String) -> Self {
        Self { kind: DiagnosticKind::Conflict, message }
    }
}

impl From<&'static str> for Refused {
    fn from(message: &'static str) -> Self {
        Self::from(message.to_owned())
    }
}

/// Whether points come from a list or a file, so that they are scaled and need not all be used.
pub(super) fn is_listed(kind: FlexcompKind) -> bool {
    matches!(kind, FlexcompKind::Direct | FlexcompKind::Mesh | FlexcompKind::Gmsh)
}

impl Parser<'_> {
    /// Points and elements, in the frame of the body.
    pub(super) fn lattice(&mut self, flexcomp: &Flexcomp) -> Result<Lattice, Refused> {
        let attr = &flexcomp.attr;
        let or = attr.or_default();
        let (points, rest) = attr.point.as_deref().unwrap_or(&[]).as_chunks::<3>();
        if !rest.is_empty() {
            return Err("'point' must have three numbers for each point".into());
        }
        let mut lattice = Lattice {
            dim: or.dim().unsigned_abs() as usize,
            point: points.to_vec(),
            element: or.element(),
            texcoord: or.texcoord(),
            elemtexcoord: Vec::new(),
        };
        let arrangement = Arrangement::new(attr).ok_or("'count' must be positive")?;
        if !is_listed(or.kind()) {
            self.check_points(flexcomp, arrangement.points())?;
            arrangement.fill(&mut lattice)?;
        }
        self.read_points(attr, &mut lattice)?;
        self.check_points(flexcomp, lattice.point.len())?;
        if lattice.point.is_empty() || lattice.element.is_empty() {
            return Err("expected points and elements".into());
        }
        if !lattice.element.len().is_multiple_of(lattice.dim + 1) {
            return Err(format!("elements have {} points each", lattice.dim + 1).into());
        }
        let count = lattice.point.len();
        if let Some(id) =
            lattice.element.iter().find(|id| usize::try_from(**id).map_or(true, |i| i >= count))
        {
            return Err(format!("an element has the point {id}, but there are only {count}").into());
        }

        // scale, turn and move
        if is_listed(or.kind()) {
            let scale = or.scale();
            for point in &mut lattice.point {
                *point = core::array::from_fn(|k| point[k] * scale[k]);
            }
        }
        let quat = self.flexcomp_quat(attr)?;
        let pos = or.pos();
        for point in &mut lattice.point {
            *point = pose::add(&pose::rotate(point, &quat), &pos);
        }
        Ok(lattice)
    }

    /// Points and elements from a file.
    fn read_points(&self, attr: &FlexcompAttrs, lattice: &mut Lattice) -> Result<(), String> {
        let or = attr.or_default();
        let most = self.options.budget.array / 3;
        match or.kind() {
            FlexcompKind::Mesh => {
                let bytes = self.flexcomp_file(&or.file())?;
                let budget = MeshBudget { vertices: most, faces: most };
                surface_file::read(lattice, &or.file(), &bytes, &or.origin(), &budget)?;
            }
            FlexcompKind::Gmsh => gmsh::read(lattice, &self.flexcomp_file(&or.file())?)?,
            _ => {}
        }
        Ok(())
    }

    /// Each point that moves is a body, whose name begins with that of the flex.
    fn check_points(&self, flexcomp: &Flexcomp, points: usize) -> Result<(), Refused> {
        let budget = &self.options.budget;
        let letters = points.saturating_mul(flexcomp.name.len());
        let rigid =
            flexcomp.attr.or_default().rigid() && is_listed(flexcomp.attr.or_default().kind());
        if !rigid && (points > budget.elements || letters > budget.array) {
            return Err(Refused::budget(format!(
                "{points} points are more than the budget allows"
            )));
        }
        Ok(())
    }

    /// The bytes of a file in the directory of meshes.
    fn flexcomp_file(&self, file: &str) -> Result<Vec<u8>, String> {
        if file.is_empty() {
            return Err(String::from("expected a file"));
        }
        let compiler = &self.spec.compiler;
        let strip = compiler.strippath == Some(true);
        let stripped = if strip { path::file_name(file) } else { file };
        let meshes = compiler.meshdir.as_deref().unwrap_or("");
        let name = path::join(&path::join(&self.spec.directory, meshes), stripped);
        let files = Files::at(&self.spec.directory, self.options)?;
        let found = match files.find(&name)? {
            Some(found) => found,
            // a file in memory may also be known by its bare name
            None => files
                .find_in_memory(path::file_name(file))
                .ok_or_else(|| format!("{CANNOT_FIND} '{name}'"))?,
        };
        let bytes = found.read(self.options.budget.asset_bytes)?;
        if bytes.is_empty() {
            return Err(format!("the file '{name}' is empty"));
        }
        Ok(bytes)
    }

    fn flexcomp_quat(&self, attr: &FlexcompAttrs) -> Result<Q4, &'static str> {
        let compiler = &self.spec.compiler;
        let degree = compiler.angle != Some(AngleUnit::Radian);
        orientation(degree, &compiler.or_default().eulerseq(), &attr.quat, &attr.alt)
    }
}
