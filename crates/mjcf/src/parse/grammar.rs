//! The model language as a table of elements, for reading by people: what each element may contain, how often, and
//! its attributes.

use super::actuator::ACTUATORS;
use super::composite::JOINT_EXTRA;
use super::contact::{EQUALITIES, EQUALITY_COMMON, SPATIAL_ONLY};
use super::skin::BONE;
use crate::schema::*;

/// One element of the language.
struct Entry {
    name: &'static str,
    /// How often it may appear: `!` exactly once, `?` at most once, `*` any number of times, `R` any number of times
    /// and within itself.
    occurs: char,
    attributes: Vec<&'static str>,
    children: Vec<Entry>,
}

/// An element with attributes of its own.
fn entry(name: &'static str, occurs: char, attributes: &[&'static str]) -> Entry {
    let mut attributes = attributes.to_vec();
    // extensions have a prefix, and are not part of the language
    attributes.retain(|name| !name.contains(':'));
    attributes.sort_unstable();
    Entry { name, occurs, attributes, children: Vec::new() }
}

/// An element with the attributes of a table, and more.
fn table<A: Attributes>(name: &'static str, occurs: char, more: &[&'static str]) -> Entry {
    entry(name, occurs, &[A::names(false).collect(), more.to_vec()].concat())
}

/// An element of a default, with those attributes of a table that have one.
fn default<A: Attributes>(name: &'static str) -> Entry {
    entry(name, '?', &A::names(true).collect::<Vec<_>>())
}

impl Entry {
    fn with(mut self, children: Vec<Entry>) -> Entry {
        self.children = children;
        self
    }

    fn count(&self) -> usize {
        1 + self.children.iter().map(Entry::count).sum::<usize>()
    }
}

fn config() -> Vec<Entry> {
    vec![entry("config", '*', &["key", "value"])]
}

fn plugin() -> Entry {
    entry("plugin", '*', &["plugin", "instance"]).with(config())
}

fn layers() -> Vec<Entry> {
    vec![entry("layer", '*', &["texture", "role"])]
}

fn settings() -> Vec<Entry> {
    vec![
        table::<CompilerAttrs>("compiler", '*', &[]).with(vec![table::<LengthRangeAttrs>(
            "lengthrange",
            '?',
            &[],
        )]),
        table::<OptionAttrs>("option", '*', &[]).with(vec![table::<FlagAttrs>("flag", '?', &[])]),
        table::<SizeAttrs>("size", '*', &[]),
        entry("visual", '*', &[]).with(vec![
            table::<VisualGlobalAttrs>("global", '?', &[]),
            table::<VisualQualityAttrs>("quality", '?', &[]),
            table::<VisualHeadlightAttrs>("headlight", '?', &[]),
            table::<VisualMapAttrs>("map", '?', &[]),
            table::<VisualScaleAttrs>("scale", '?', &[]),
            table::<VisualRgbaAttrs>("rgba", '?', &[]),
        ]),
        table::<StatisticAttrs>("statistic", '*', &[]),
    ]
}

fn defaults() -> Entry {
    let mut children = vec![
        default::<MeshAttrs>("mesh"),
        default::<MaterialAttrs>("material").with(layers()),
        default::<JointAttrs>("joint"),
        default::<GeomAttrs>("geom"),
        default::<SiteAttrs>("site"),
        default::<CameraAttrs>("camera"),
        default::<LightAttrs>("light"),
        default::<PairAttrs>("pair"),
        default::<EqualityAttrs>("equality"),
        default::<TendonAttrs>("tendon"),
    ];
    children.extend(
        actuator_kinds()
            .filter(|(_, kind)| *kind != ActuatorKind::Plugin)
            .map(|(name, kind)| entry(name, '?', &kind.default_names())),
    );
    entry("default", 'R', &["class"]).with(children)
}

fn actuator_kinds() -> impl Iterator<Item = (&'static str, ActuatorKind)> {
    ACTUATORS.iter().filter_map(|name| Some((*name, ActuatorKind::from_element(name)?)))
}

fn skin() -> Entry {
    table::<SkinAttrs>("skin", '*', &["name"]).with(vec![entry("bone", '*', BONE)])
}

fn assets() -> Entry {
    let named = &["name", "class"];
    entry("asset", '*', &[]).with(vec![
        table::<MeshAttrs>("mesh", '*', named).with(vec![plugin()]),
        table::<HfieldAttrs>("hfield", '*', &["name"]),
        skin(),
        table::<TextureAttrs>("texture", '*', &["name"]),
        table::<MaterialAttrs>("material", '*', named).with(layers()),
        table::<ModelAttrs>("model", '*', &["name"]),
    ])
}

fn tree() -> Entry {
    let named = &["name", "class"];
    table::<BodyAttrs>("body", 'R', &["name", "childclass"]).with(vec![
        table::<InertialAttrs>("inertial", '?', &[]),
        table::<JointAttrs>("joint", '*', named),
        table::<FreeJointAttrs>("freejoint", '*', &["name"]),
        table::<GeomAttrs>("geom", '*', named).with(vec![plugin()]),
        entry("attach", '*', &["model", "body", "prefix"]),
        table::<SiteAttrs>("site", '*', named),
        table::<CameraAttrs>("camera", '*', named),
        table::<LightAttrs>("light", '*', named),
        plugin(),
        table::<CompositeAttrs>("composite", '*', &[]).with(vec![
            entry("joint", '*', &[&JointAttrs::cable_names(), JOINT_EXTRA].concat()),
            table::<CompositeSkinAttrs>("skin", '?', &[]),
            entry("geom", '?', &GeomAttrs::cable_names()),
            entry("site", '?', &SiteAttrs::cable_names()),
            plugin(),
        ]),
        table::<FlexcompAttrs>("flexcomp", '*', &["name"]).with(vec![
            table::<FlexcompEdgeAttrs>("edge", '?', &[]),
            table::<FlexElasticityAttrs>("elasticity", '?', &[]),
            table::<FlexContactAttrs>("contact", '?', &[]),
            table::<PinAttrs>("pin", '*', &[]),
            plugin(),
        ]),
    ])
}

fn deformables() -> Entry {
    let flex = table::<FlexAttrs>("flex", '*', &["name"]).with(vec![
        table::<FlexContactAttrs>("contact", '?', &[]),
        table::<FlexEdgeAttrs>("edge", '?', &[]),
        table::<FlexElasticityAttrs>("elasticity", '?', &[]),
    ]);
    entry("deformable", '*', &[]).with(vec![flex, skin()])
}

fn tendons() -> Entry {
    let all: Vec<_> = TendonAttrs::names(false).chain(["name", "class"]).collect();
    let mut fixed = all.clone();
    fixed.retain(|name| !SPATIAL_ONLY.contains(name));
    entry("tendon", '*', &[]).with(vec![
        entry("spatial", '*', &all).with(vec![
            entry("site", '*', &["site"]),
            entry("geom", '*', &["geom", "sidesite"]),
            entry("pulley", '*', &["divisor"]),
        ]),
        entry("fixed", '*', &fixed).with(vec![entry("joint", '*', &["joint", "coef"])]),
    ])
}

fn equalities() -> Entry {
    let kinds = EQUALITIES.iter().map(|&(name, kind)| (name, equality_names(kind)));
    let supported = kinds.filter(|(_, own)| !own.is_empty());
    let children = supported
        .map(|(name, own)| entry(name, '*', &[own, EQUALITY_COMMON, &["name", "class"]].concat()));
    entry("equality", '*', &[]).with(children.collect())
}

fn actuators() -> Entry {
    let kinds = actuator_kinds().map(|(name, kind)| {
        let names = [kind.names(), vec!["name", "class"]].concat();
        match kind {
            ActuatorKind::Plugin => {
                entry(name, '*', &[names, vec!["plugin", "instance"]].concat()).with(config())
            }
            _ => entry(name, '*', &names),
        }
    });
    entry("actuator", '*', &[]).with(kinds.collect())
}

fn sensors() -> Entry {
    let kinds = SENSORS.iter().map(|sensor| {
        let names = [sensor.own, sensor.common, &["name"]].concat();
        match sensor.element {
            "plugin" => {
                entry("plugin", '*', &[names, vec!["plugin", "instance"]].concat()).with(config())
            }
            name => entry(name, '*', &names),
        }
    });
    entry("sensor", '*', &[]).with(kinds.collect())
}

fn language() -> Entry {
    let instance = entry("instance", '*', &["name"]).with(config());
    let mut sections = settings();
    sections.extend([
        defaults(),
        entry("extension", '*', &[])
            .with(vec![entry("plugin", '*', &["plugin"]).with(vec![instance])]),
        entry("custom", '*', &[]).with(vec![
            table::<NumericAttrs>("numeric", '*', &["name"]),
            table::<TextAttrs>("text", '*', &["name"]),
            entry("tuple", '*', &["name"]).with(vec![table::<ElementAttrs>("element", '*', &[])]),
        ]),
        assets(),
        tree(),
        deformables(),
        entry("contact", '*', &[]).with(vec![
            table::<PairAttrs>("pair", '*', &["name", "class"]),
            table::<ExcludeAttrs>("exclude", '*', &["name"]),
        ]),
        equalities(),
        tendons(),
        actuators(),
        sensors(),
        entry("keyframe", '*', &[]).with(vec![table::<KeyAttrs>("key", '*', &["name"])]),
    ]);
    entry("mujoco", '!', &["model"]).with(sections)
}

/// How [`schema`] writes the model language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaFormat {
    /// Text, indented.
    Text,
    /// A table in HTML, indented by spaces.
    Html,
    /// A table in HTML, indented by styles.
    HtmlPadded,
}

/// The elements and attributes of the model language, as text or as a table in HTML.
///
/// Behind the name of each element stands how often it may appear: `!` exactly once, `?` at most once, `*` any number
/// of times, `R` any number of times and within itself.
///
/// ```
/// let text = ferrodyn_mjcf::schema(ferrodyn_mjcf::SchemaFormat::Text);
/// assert!(text.starts_with("mujoco (!)                    model"));
/// ```
pub fn schema(format: SchemaFormat) -> String {
    let language = language();
    let mut out = String::with_capacity(200 * language.count());
    match format {
        SchemaFormat::Text => text(&language, 0, &mut out),
        SchemaFormat::Html | SchemaFormat::HtmlPadded => {
            out.push_str("<table border=\"1\">\n");
            html(&language, 0, format == SchemaFormat::HtmlPadded, &mut out);
            out.push_str("</table>\n");
        }
    }
    out
}

fn shown(name: &str) -> &str {
    if name == "body" { "(world)body" } else { name }
}

fn text(entry: &Entry, level: usize, out: &mut String) {
    /// Column in which the attributes begin, and after which a line is broken.
    const ATTRIBUTES: usize = 30;
    const BREAK: usize = 60;
    let head = format!("{:1$}{2} ({3})", "", 3 * level, shown(entry.name), entry.occurs);
    let begin = head.len().max(ATTRIBUTES);
    out.push_str(&format!("{head:ATTRIBUTES$}"));
    let mut column = begin;
    for name in &entry.attributes {
        if column > BREAK {
            out.push_str(&format!("\n{:begin$}", ""));
            column = begin;
        }
        out.push_str(&format!("{name} "));
        column += name.len() + 1;
    }
    out.push('\n');
    for child in &entry.children {
        text(child, level + 1, out);
    }
}

fn html(entry: &Entry, level: usize, padded: bool, out: &mut String) {
    let (style, spaces) = if padded {
        (format!(" style=\"padding-left:{}\"", 5 + 15 * level), String::new())
    } else {
        (String::new(), "&nbsp;".repeat(4 * level))
    };
    let name = shown(entry.name);
    let attributes = if entry.attributes.is_empty() {
        String::from("<span style=\"color:black\"><i>no attributes</i></span>")
    } else {
        entry.attributes.join(" ") + " "
    };
    out.push_str(&format!(
        "<tr>\n\t<td{style} bgcolor=\"#EEEEEE\" class=\"el\">{spaces}{name}</td>\n\
         \t<td class=\"ty\">{}</td>\n\t<td class=\"at\">{attributes}</td>\n</tr>\n",
        entry.occurs
    ));
    for child in &entry.children {
        html(child, level + 1, padded, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_and_sensor_has_a_line() {
        let text = schema(SchemaFormat::Text);
        // worldbody is in the line of bodies
        let sections = super::super::SECTIONS.iter().map(|name| (3, *name));
        let sensors = SENSORS.iter().map(|sensor| (6, sensor.element));
        for (indent, name) in sections.chain(sensors) {
            if name != "worldbody" {
                assert!(text.contains(&format!("\n{:indent$}{name} (", "")), "{name}");
            }
        }
        assert!(text.lines().all(|line| line.len() < 90 && !line.contains("ferrodyn")));
    }

    #[test]
    fn tables_have_a_row_for_each_element() {
        let rows = language().count();
        for format in [SchemaFormat::Html, SchemaFormat::HtmlPadded] {
            assert_eq!(schema(format).matches("<tr>").count(), rows);
        }
        assert!(schema(SchemaFormat::HtmlPadded).contains("padding-left:35"));
    }
}
