//! Which points of a `<flexcomp>` belong to the body around them.

use super::lattice::Refused;
use crate::flexcomp::Lattice;
use crate::keywords::{FlexcompDof, FlexcompKind};
use crate::schema::{FlexcompAttrs, PinAttrs};

/// Which points belong to the body around them.
pub(super) struct Pinned {
    pub(super) points: Vec<bool>,
    /// All of them do.
    pub(super) rigid: bool,
    /// None of them does.
    pub(super) centered: bool,
}

/// Number of nodes of an interpolated flex; none of others.
fn node_count(dof: FlexcompDof) -> usize {
    match dof {
        FlexcompDof::Trilinear => 8,
        FlexcompDof::Quadratic => 27,
        FlexcompDof::Full | FlexcompDof::Radial => 0,
    }
}

/// Finds the points that belong to the body around them. Of an interpolated flex these are numbers of nodes. Ranges together may
/// have `most` points.
pub(super) fn pinned(
    attr: &FlexcompAttrs,
    pins: &[PinAttrs],
    lattice: &Lattice,
    most: usize,
) -> Result<Pinned, Refused> {
    let or = attr.or_default();
    let (dim, count) = (lattice.dim, lattice.point.len());
    let gather = |list: fn(&PinAttrs) -> &Option<Vec<i32>>| -> Vec<i32> {
        pins.iter().flat_map(|p| list(p).iter().flatten().copied()).collect()
    };
    let id = gather(|p| &p.id);
    let range = gather(|p| &p.range);
    let grid = gather(|p| &p.grid);
    let gridrange = gather(|p| &p.gridrange);
    let on_grid = !(grid.is_empty() && gridrange.is_empty());
    let interpolated = node_count(or.dof()) > 0;
    let fail = |message: &'static str| Err(Refused::from(message));
    if !range.len().is_multiple_of(2) {
        return fail("'range' of a pin has pairs of points");
    }
    if !grid.len().is_multiple_of(dim) {
        return Err(format!("'grid' of a pin has {dim} numbers for each point").into());
    }
    if !gridrange.len().is_multiple_of(2 * dim) {
        let numbers = 2 * dim;
        return Err(format!("'gridrange' of a pin has {numbers} numbers for each range").into());
    }
    if or.kind() != FlexcompKind::Grid && on_grid && !interpolated {
        return fail("'grid' and 'gridrange' of a pin need a grid, or interpolation");
    }
    if dim == 1 && on_grid {
        return fail("a line has no 'grid' and 'gridrange'");
    }
    let mut pinned = Pinned {
        points: vec![or.rigid(); count.max(node_count(or.dof()))],
        rigid: or.rigid(),
        centered: false,
    };
    if pinned.rigid {
        return Ok(pinned);
    }

    let within = |i: i32, count: usize| usize::try_from(i).ok().filter(|i| *i < count);
    let point = |i: i32| within(i, count).ok_or_else(|| format!("there is no point {i} to pin"));
    for i in id {
        pinned.points[point(i)?] = true;
    }
    let mut left = most;
    let mut spend = |points: usize| {
        let message = "the ranges of the pins have more points than the budget allows";
        left = left.checked_sub(points).ok_or_else(|| Refused::budget(String::from(message)))?;
        Ok::<(), Refused>(())
    };
    for ends in range.as_chunks::<2>().0 {
        let (first, last) = (point(ends[0])?, point(ends[1])?);
        spend((last + 1).saturating_sub(first))?;
        for i in first..=last {
            pinned.points[i] = true;
        }
    }
    let sizes = or.count().map(|n| usize::try_from(n).unwrap_or(0));
    let mut pin = |at: &[usize]| {
        let linear = at.iter().zip(&sizes).fold(0, |linear, (i, n)| linear * n + i);
        match pinned.points.get_mut(linear) {
            Some(slot) => {
                *slot = true;
                Ok(())
            }
            None => Err(Refused::from(format!("there is no point {linear} to pin"))),
        }
    };
    // coordinates are those of nodes where the points make no grid
    let nodes = if or.dof() == FlexcompDof::Trilinear { 2 } else { 3 };
    let by_nodes = or.kind() != FlexcompKind::Grid && interpolated;
    let outside = "a pin lies outside the grid";
    for at in grid.chunks_exact(dim) {
        let at: Option<Vec<usize>> = (at.iter().zip(&sizes))
            .map(|(i, n)| within(*i, if by_nodes { nodes } else { *n }))
            .collect();
        pin(&at.ok_or(outside)?)?;
    }
    for ends in gridrange.chunks_exact(2 * dim) {
        let ends: Option<Vec<usize>> =
            (0..2 * dim).map(|k| within(ends[k], sizes[k % dim])).collect();
        let ends = ends.ok_or(outside)?;
        let sides = (0..dim).map(|k| (ends[dim + k] + 1).saturating_sub(ends[k]));
        spend(sides.fold(1, usize::saturating_mul))?;
        for x in ends[0]..=ends[dim] {
            for y in ends[1]..=ends[dim + 1] {
                if dim == 2 {
                    pin(&[x, y])?;
                    continue;
                }
                for z in ends[2]..=ends[5] {
                    pin(&[x, y, z])?;
                }
            }
        }
    }
    // the centre of radial points does not move
    if or.dof() == FlexcompDof::Radial {
        pinned.points[0] = true;
    }
    let points = &pinned.points[..count];
    pinned.rigid = points.iter().all(|p| *p);
    pinned.centered = !points.iter().any(|p| *p);
    Ok(pinned)
}

/// Drops points that no element has.
pub(super) fn drop_unused(lattice: &mut Lattice, pinned: &mut Vec<bool>, dof: FlexcompDof) {
    let count = lattice.point.len();
    let mut used = vec![false; count];
    for id in &lattice.element {
        used[*id as usize] = true;
    }
    if used.iter().all(|u| *u) {
        return;
    }
    let mut number = vec![0; count];
    let mut left = 0;
    for i in (0..count).filter(|&i| used[i]) {
        number[i] = left as i32;
        lattice.point[left] = lattice.point[i];
        if let Some(uv) = lattice.texcoord.get(2 * i..2 * i + 2) {
            let uv = [uv[0], uv[1]];
            lattice.texcoord[2 * left..2 * left + 2].copy_from_slice(&uv);
        }
        pinned[left] = pinned[i];
        left += 1;
    }
    lattice.point.truncate(left);
    if !lattice.texcoord.is_empty() {
        lattice.texcoord.resize(2 * left, 0.0);
    }
    pinned.resize(left.max(node_count(dof)), false);
    for id in &mut lattice.element {
        *id = number[*id as usize];
    }
}
