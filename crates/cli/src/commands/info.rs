//! Sizes, the tree of bodies, warnings.
use std::io::Write;
use std::path::Path;

use ferrodyn::{GeomType, JointType, Model, ObjType};

use super::{Result, load, print_warnings};

/// Print what a model consists of.
pub(crate) fn info(out: &mut dyn Write, path: &Path) -> Result<()> {
    let model = load(path)?;
    let name = if model.model_name().is_empty() { "(no name)" } else { model.model_name() };
    writeln!(out, "{}: {name}", path.display())?;
    writeln!(out, "\nsizes")?;
    for (size, value, doc) in model.sizes.all() {
        if value > 0 {
            writeln!(out, "  {size:<14} {value:>8}  {doc}")?;
        }
    }
    writeln!(out, "\nbodies")?;
    for b in 0..model.nbody {
        writeln!(out, "{}", body_line(&model, b))?;
    }
    writeln!(out, "\nmass {:.4}, extent {:.4}", model.body_subtreemass[0], model.stat.extent)?;
    print_warnings(&model);
    Ok(())
}

/// One body: indented by its depth, with its joints and geoms.
fn body_line(model: &Model, b: usize) -> String {
    let mut depth = 0;
    let mut up = b;
    while up > 0 {
        up = model.body_parentid[up] as usize;
        depth += 1;
    }
    let mut line =
        format!("  {:indent$}{}", "", object_name(model, ObjType::Body, b), indent = 2 * depth);
    let first = model.body_jntadr[b].max(0) as usize;
    for j in first..first + model.body_jntnum[b] as usize {
        let kind = JointType::try_from(model.jnt_type[j])
            .map_or_else(|_| "joint".into(), |k| format!("{k:?}").to_lowercase());
        line += &format!("  {kind} {}", object_name(model, ObjType::Joint, j));
    }
    let first = model.body_geomadr[b].max(0) as usize;
    let geoms: Vec<String> = (first..first + model.body_geomnum[b] as usize)
        .map(|g| {
            GeomType::try_from(model.geom_type[g])
                .map_or_else(|_| "geom".into(), |k| format!("{k:?}").to_lowercase())
        })
        .collect();
    if !geoms.is_empty() {
        line += &format!("  [{}]", geoms.join(" "));
    }
    line
}

/// The name of an object, or its number.
fn object_name(model: &Model, kind: ObjType, id: usize) -> String {
    model.name(kind, id).map_or_else(|| format!("#{id}"), String::from)
}
