//! No text makes the loader panic.

use ferrodyn_mjcf::{LoadOptions, Spec};
use proptest::prelude::*;

const MODEL: &str = r#"<mujoco model="m"><compiler angle="radian"/><option timestep="1"/>
<default><geom type="box" size=".1 .1 .1"/><default class="c"><joint range="-1 1"/></default></default>
<worldbody><body name="b" childclass="c" pos="0 0 1"><joint axis="0 1 0"/><geom/><site euler="1 2 3"/>
<frame pos="1 0 0"><body><freejoint/><geom size=".1"/></body></frame></body></worldbody>
<keyframe><key qpos="1"/></keyframe></mujoco>"#;

/// Loads and compiles, which may fail but not panic.
fn load(text: &str) {
    let mut options = LoadOptions::untrusted();
    options.budget.array = 1 << 16;
    if let Ok(spec) = Spec::from_xml_str(text, &options) {
        let _ = spec.compile();
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,200}") {
        load(&text);
    }

    #[test]
    fn a_model_with_a_piece_replaced_is_read_or_refused(
        start in 0..MODEL.len(), length in 0..40_usize, piece in "[-0-9a-z .=\"'<>/]{0,12}",
    ) {
        let end = (start + length).min(MODEL.len());
        load(&format!("{}{piece}{}", &MODEL[..start], &MODEL[end..]));
    }

    #[test]
    fn a_model_with_bytes_replaced_is_read_or_refused(
        changes in prop::collection::vec((0..MODEL.len(), any::<u8>()), 1..6),
        marks in prop::collection::vec(
            (0..MODEL.len(), prop::sample::select(b"<>/!?-[]&#;='\"x\0\r\n".as_slice())), 0..6),
    ) {
        let mut bytes = MODEL.as_bytes().to_vec();
        for (at, byte) in changes.into_iter().chain(marks) {
            bytes[at] = byte;
        }
        // as an included file, since the text of a model itself is UTF-8
        let mut options = LoadOptions::untrusted().with_asset("part.xml", bytes);
        options.budget.array = 1 << 16;
        let text = "<mujoco><include file='part.xml'/></mujoco>";
        if let Ok(spec) = Spec::from_xml_str(text, &options) {
            let _ = spec.compile();
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let options = LoadOptions::untrusted().with_asset("part.xml", bytes);
        let _ = Spec::from_xml_str("<mujoco><include file='part.xml'/></mujoco>", &options);
    }

    #[test]
    fn any_numbers_are_compiled_or_refused(numbers in prop::collection::vec(any::<f64>(), 12)) {
        let n: Vec<String> = numbers.iter().map(f64::to_string).collect();
        load(&format!(
            "<mujoco><worldbody><body pos='{} {} {}' quat='{} {} {} {}'><joint axis='{} {} {}'/>\
             <geom size='{} {} 1'/><geom type='box' size='1 1 1'/></body></worldbody></mujoco>",
            n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11],
        ));
    }
}
