//! A readable listing of all sizes, options and arrays of a model.
use std::fmt::Write as _;

use ferrodyn::Model;
use ferrodyn::math::ScalarKind;

/// All of a model as text.
pub(crate) fn dump(model: &Model) -> String {
    let mut out = format!("model {}\n\nsizes\n", model.model_name());
    for (name, value, doc) in model.sizes.all() {
        line(&mut out, name, &value.to_string(), doc);
    }
    line(&mut out, "njmax", &model.njmax.to_string(), "constraint rows asked for");
    line(&mut out, "nconmax", &model.nconmax.to_string(), "contacts asked for");
    out.push_str("\noptions\n");
    let mut opt = model.opt.clone();
    fields(&mut out, opt.fields_mut());
    out.push_str("\nstatistics\n");
    let mut stat = model.stat.clone();
    fields(&mut out, stat.fields_mut());
    let mut vis = model.vis.clone();
    for (group, list) in [
        ("global", vis.global.fields_mut()),
        ("quality", vis.quality.fields_mut()),
        ("headlight", vis.headlight.fields_mut()),
        ("map", vis.map.fields_mut()),
        ("scale", vis.scale.fields_mut()),
        ("rgba", vis.rgba.fields_mut()),
    ] {
        let _ = writeln!(out, "\nvisual {group}");
        fields(&mut out, list);
    }
    for array in model.arrays() {
        let info = array.info;
        if info.is_empty() {
            continue;
        }
        let cols = info.cols.unwrap_or(1);
        let shape =
            info.cols.map_or(format!("[{}]", info.rows), |c| format!("[{}, {c}]", info.rows));
        let _ = writeln!(out, "\n{} {shape}  {}", info.name, info.doc);
        // text is one long row of bytes; numbers have one row each, short ones together
        let per_line = if info.cols.is_some() { cols } else { 16 };
        let values = scalars(info.kind, array.bytes);
        for (i, row) in values.chunks(per_line).enumerate() {
            let _ = writeln!(out, "  {:>6}  {}", i * per_line / cols, row.join(" "));
        }
    }
    out
}

fn line(out: &mut String, name: &str, value: &str, doc: &str) {
    let _ = writeln!(out, "  {name:<20} {value:<24} {doc}");
}

fn fields(out: &mut String, list: Vec<(&'static str, ScalarKind, usize, &mut [u8])>) {
    for (name, kind, _, bytes) in list {
        line(out, name, &scalars(kind, bytes).join(" "), "");
    }
}

/// The numbers in the bytes of an array.
fn scalars(kind: ScalarKind, bytes: &[u8]) -> Vec<String> {
    fn each<const N: usize>(bytes: &[u8], text: impl Fn([u8; N]) -> String) -> Vec<String> {
        let number = |chunk: &[u8]| chunk.try_into().ok().map(&text);
        bytes.chunks_exact(N).filter_map(number).collect()
    }
    match kind {
        ScalarKind::F64 => each(bytes, |b| f64::from_ne_bytes(b).to_string()),
        ScalarKind::F32 => each(bytes, |b| f32::from_ne_bytes(b).to_string()),
        ScalarKind::I32 => each(bytes, |b| i32::from_ne_bytes(b).to_string()),
        ScalarKind::I64 => each(bytes, |b| i64::from_ne_bytes(b).to_string()),
        ScalarKind::U64 => each(bytes, |b| u64::from_ne_bytes(b).to_string()),
        _ => each(bytes, |[b]: [u8; 1]| b.to_string()),
    }
}
