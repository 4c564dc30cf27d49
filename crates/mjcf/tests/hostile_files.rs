//! Files and numbers from strangers: GMSH and skin files that are cut, that count wrongly or point elsewhere, and generated flexes
//! of absurd sizes. Each is an error that says what is wrong, within the budget; none is a panic.

use std::time::{Duration, Instant};

use ferrodyn_mjcf::{Diagnostic, DiagnosticKind, LoadOptions, MjcfError, Spec};
use ferrodyn_model::Model;

/// Tetrahedra between five points, one of them twice: binary files of format 2.2 need as many elements as points.
const POINTS: [[f64; 3]; 5] =
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0]];
const TETRAHEDRA: [[u32; 4]; 5] =
    [[1, 2, 3, 4], [2, 3, 4, 5], [1, 3, 4, 5], [1, 2, 4, 5], [1, 2, 4, 5]];

/// The same in a file of GMSH.
fn gmsh(version: &str, binary: bool) -> Vec<u8> {
    let mut file = format!("$MeshFormat\n{version} {} 8\n", u8::from(binary)).into_bytes();
    if binary {
        file.extend(1_i32.to_le_bytes());
        file.push(b'\n');
    }
    file.extend(b"$EndMeshFormat\n$Nodes\n");
    match (version, binary) {
        ("4.1", false) => file.extend(b"1 5 1 5\n3 1 0 5\n1\n2\n3\n4\n5\n"),
        ("4.1", true) => {
            file.extend([1_u64, 5, 1, 5].iter().flat_map(|x| x.to_le_bytes()));
            file.extend([3_i32, 1, 0].iter().flat_map(|x| x.to_le_bytes()));
            file.extend([5_u64, 1, 2, 3, 4, 5].iter().flat_map(|x| x.to_le_bytes()));
        }
        // MuJoCo wants four bytes before the data
        _ => file.extend(if binary { b"005\n".as_slice() } else { b"5\n" }),
    }
    for (point, tag) in POINTS.iter().zip(1_i32..) {
        if binary {
            if version == "2.2" {
                file.extend(tag.to_le_bytes());
            }
            file.extend(point.iter().flat_map(|x| x.to_le_bytes()));
        } else {
            let tag = if version == "2.2" { format!("{tag} ") } else { String::new() };
            file.extend(format!("{tag}{} {} {}\n", point[0], point[1], point[2]).bytes());
        }
    }
    file.extend(b"$EndNodes\n$Elements\n");
    match (version, binary) {
        ("4.1", false) => file.extend(b"1 5 1 5\n3 1 4 5\n"),
        ("4.1", true) => {
            file.extend([1_u64, 5, 1, 5].iter().flat_map(|x| x.to_le_bytes()));
            file.extend([3_i32, 1, 4].iter().flat_map(|x| x.to_le_bytes()));
            file.extend(5_u64.to_le_bytes());
        }
        _ => file.extend(if binary { b"005\n".as_slice() } else { b"5\n" }),
    }
    for (ids, tag) in TETRAHEDRA.iter().zip(1_u32..) {
        match (version, binary) {
            ("4.1", true) => {
                let numbers = [tag, ids[0], ids[1], ids[2], ids[3]];
                file.extend(numbers.iter().flat_map(|x| u64::from(*x).to_le_bytes()));
            }
            (_, true) => {
                // type, following, tags, number, two tags, nodes
                let numbers = [4, 1, 2, tag, 0, 1, ids[0], ids[1], ids[2], ids[3]];
                file.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
            }
            _ => {
                let head = if version == "2.2" { "4 2 0 1 " } else { "" };
                file.extend(
                    format!("{tag} {head}{} {} {} {}\n", ids[0], ids[1], ids[2], ids[3]).bytes(),
                );
            }
        }
    }
    file.extend(b"$EndElements\n");
    file
}

const FORMATS: [(&str, bool); 4] = [("4.1", false), ("4.1", true), ("2.2", false), ("2.2", true)];

fn options() -> LoadOptions {
    LoadOptions::untrusted()
}

fn load(text: &str, options: &LoadOptions) -> Result<Model, MjcfError> {
    Ok(Spec::from_xml_str(text, options)?.compile()?.model)
}

fn in_body(inner: &str) -> String {
    format!("<mujoco><worldbody><body name='p'>{inner}</body></worldbody></mujoco>")
}

/// A flex from a file of GMSH.
fn from_gmsh(bytes: Vec<u8>) -> Result<Model, MjcfError> {
    let text = in_body("<flexcomp name='f' type='gmsh' file='f.msh' dim='3'/>");
    load(&text, &options().with_asset("f.msh", bytes))
}

fn only(error: MjcfError) -> Diagnostic {
    assert_eq!(error.diagnostics.len(), 1, "{error}");
    error.diagnostics.into_iter().next().unwrap()
}

/// The place of a text in a file.
fn find(bytes: &[u8], text: &[u8]) -> usize {
    bytes.windows(text.len()).position(|w| w == text).unwrap()
}

/// A file with one text replaced by another.
fn replaced(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let at = find(bytes, from.as_bytes());
    [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()
}

#[test]
fn all_formats_of_gmsh_give_the_same_flex() {
    let listed = in_body(
        "<flexcomp name='f' type='direct' dim='3' point='0 0 0 1 0 0 0 1 0 0 0 1 1 1 1'
         element='0 1 2 3 1 2 3 4 0 2 3 4 0 1 3 4 0 1 3 4'/>",
    );
    let listed = load(&listed, &options()).unwrap();
    assert_eq!((listed.nflexvert, listed.nflexelem), (5, 5));
    for (version, binary) in FORMATS {
        let read = from_gmsh(gmsh(version, binary)).unwrap_or_else(|e| panic!("{version}: {e}"));
        assert!(read.to_bytes() == listed.to_bytes(), "{version} {binary}");
    }
}

#[test]
fn a_gmsh_file_that_ends_early_is_refused() {
    for (version, binary) in FORMATS {
        let whole = gmsh(version, binary);
        // the end of line after the last word may be missing, but not more
        for length in 0..whole.len() - 1 {
            let d = only(from_gmsh(whole[..length].to_vec()).unwrap_err());
            assert_eq!(d.element.as_deref(), Some("flexcomp"), "{d}");
        }
        // the data end early, the sections do not
        let [nodes, elements] = ["$EndNodes", "$EndElements"].map(|s| find(&whole, s.as_bytes()));
        for (from, to) in [(nodes - 9, nodes), (elements - 9, elements)] {
            let cut = [&whole[..from], &whole[to..]].concat();
            let d = only(from_gmsh(cut).unwrap_err());
            assert!(d.message.contains("GMSH"), "{version} {binary} {d}");
        }
    }
}

#[test]
fn a_gmsh_file_that_counts_wrongly_is_refused() {
    for (version, from, to) in [
        ("4.1", "1 5 1 5\n", "1 6 1 5\n"),
        ("4.1", "3 1 0 5\n", "3 1 0 6\n"),
        ("4.1", "1 5 1 5\n3 1 0 5\n", "1 6 1 6\n3 1 0 6\n"),
        ("4.1", "1 5 1 5\n", "1 18446744073709551615 1 5\n"),
        ("4.1", "1 5 1 5\n", "2 5 1 5\n"),
        ("4.1", "1 5 1 5\n3 1 4 5\n", "1 6 1 5\n3 1 4 6\n"),
        ("4.1", "3 1 4 5\n", "3 1 2 5\n"),
        ("4.1", "3 1 0 5\n", "4 1 0 5\n"),
        ("4.1", "3 1 0 5\n", "-1 1 0 5\n"),
        ("4.1", "1\n2\n3\n", "1\n3\n2\n"),
        ("4.1", "1 1 2 3 4\n", "1 1 2 3 6\n"),
        ("4.1", "1 1 2 3 4\n", "1 0 2 3 4\n"),
        ("4.1", "1 1 2 3 4\n", "1 1 2 2 4\n"),
        ("2.2", "$Nodes\n5\n", "$Nodes\n6\n"),
        ("2.2", "$Nodes\n5\n", "$Nodes\n4\n"),
        ("2.2", "$Nodes\n5\n", "$Nodes\n-5\n"),
        ("2.2", "$Nodes\n5\n", "$Nodes\n99999999999999999999\n"),
        ("2.2", "$Elements\n5\n", "$Elements\n6\n"),
        ("2.2", "1 4 2 0 1 1 2 3 4", "1 4 2 0 1 1 2 3 6"),
        ("2.2", "1 4 2 0 1 1 2 3 4", "1 4 2 0 1 0 2 3 4"),
        ("2.2", "1 4 2 0 1", "1 5 2 0 1"),
        ("2.2", "2.2 0", "3.0 0"),
    ] {
        let wrong = replaced(&gmsh(version, false), from, to);
        let d = only(from_gmsh(wrong).unwrap_err());
        assert!(!d.message.is_empty(), "{version} {from} {to}");
    }
    // numbers of eight bytes from the first of a section: blocks, count, first and last tag
    for section in ["$Nodes\n", "$Elements\n"] {
        for word in [0, 1, 2] {
            for value in [0, u64::MAX, 1 << 40] {
                let mut wrong = gmsh("4.1", true);
                let at = find(&wrong, section.as_bytes()) + section.len() + 8 * word;
                wrong[at..at + 8].copy_from_slice(&value.to_le_bytes());
                // the first tag of elements says nothing
                let refused = from_gmsh(wrong).is_err();
                assert_eq!(refused, word < 2 || section == "$Nodes\n", "{section} {word} {value}");
            }
        }
    }
    for (from, to) in [("$Nodes\n005", "$Nodes\n009"), ("$Elements\n005", "$Elements\n009")] {
        assert!(from_gmsh(replaced(&gmsh("2.2", true), from, to)).is_err(), "{to}");
    }
}

#[test]
fn generated_flexes_of_absurd_sizes_are_refused_at_once() {
    let begin = Instant::now();
    for (attributes, kind) in [
        ("count='2000 2000 2000' dim='3'", DiagnosticKind::Budget),
        ("count='2147483647 2147483647 2147483647' dim='3'", DiagnosticKind::Budget),
        ("count='2147483647 1 1' dim='1'", DiagnosticKind::Budget),
        ("type='box' count='9999 9999 9999' dim='3'", DiagnosticKind::Budget),
        ("type='disc' count='100000 100000 1'", DiagnosticKind::Budget),
        ("type='circle' count='1000000000 1 1' dim='1'", DiagnosticKind::Budget),
        ("count='99999999999 2 2'", DiagnosticKind::InvalidValue),
        ("count='-3 3 1'", DiagnosticKind::Conflict),
        ("count='-2147483648 3 1'", DiagnosticKind::Conflict),
        ("count='3 3 1' dim='-2'", DiagnosticKind::Conflict),
        ("count='3 3 1' dim='2147483647'", DiagnosticKind::Conflict),
        ("count='3 3 1' mass='-1'", DiagnosticKind::Conflict),
        ("count='3 3 1' radius='1e300'", DiagnosticKind::Conflict),
        ("count='1 1 1'", DiagnosticKind::Conflict),
        ("type='circle' count='1 1 1' dim='1'", DiagnosticKind::Conflict),
        ("type='circle' count='2 1 1' dim='1'", DiagnosticKind::Model),
        ("count='3 3 1' spacing='nan 1 1'", DiagnosticKind::InvalidValue),
    ] {
        for options in [LoadOptions::default(), options()] {
            let text = in_body(&format!("<flexcomp name='f' {attributes}/>"));
            let d = only(load(&text, &options).unwrap_err());
            assert_eq!(d.kind, kind, "{attributes}: {d}");
        }
    }
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

#[test]
fn names_and_pins_of_a_generated_flex_stay_within_the_budget() {
    let begin = Instant::now();
    let grid = |name: &str, pins: &str| {
        let text = format!("<flexcomp name='{name}' count='200 200 1'>{pins}</flexcomp>");
        only(load(&in_body(&text), &options()).unwrap_err())
    };
    let d = grid(&"n".repeat(1000), "");
    assert_eq!(d.kind, DiagnosticKind::Budget, "{d}");
    for range in ["range='0 39999'", "gridrange='0 0 199 199'"] {
        let d = grid("f", &format!("<pin {range}/>").repeat(1000));
        assert_eq!(d.kind, DiagnosticKind::Budget, "{d}");
    }
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

#[test]
fn elements_without_area_or_volume_have_no_stiffness() {
    let flex = |dim: usize, points: &str, element: &str, elasticity: &str| {
        let text = format!(
            "<flexcomp name='f' type='direct' dim='{dim}' point='{points}' element='{element}'>
             <elasticity young='10' {elasticity}/></flexcomp>"
        );
        load(&in_body(&text), &options())
    };
    let line = "0 0 0 1 0 0 2 0 0";
    let d = only(flex(2, line, "0 1 2", "elastic2d='stretch' thickness='.1'").unwrap_err());
    assert!(d.message.contains("element 0"), "{d}");
    let d = only(flex(3, "0 0 0 1 0 0 0 1 0 1 1 0", "0 1 2 3", "").unwrap_err());
    assert!(d.message.contains("element 0"), "{d}");
    let folded = "0 0 0 1 0 0 2 0 0 0 1 0";
    let d = only(flex(2, folded, "0 1 2 0 1 3", "elastic2d='bend' thickness='.1'").unwrap_err());
    assert!(d.message.contains("edge"), "{d}");
    assert!(flex(2, line, "0 1 2", "").is_ok());
    let flat =
        "<flexcomp name='f' dim='2' count='9 9 1' dof='trilinear'><contact selfcollide='none'/>
        <elasticity young='10'/></flexcomp>";
    let d = only(load(&in_body(flat), &options()).unwrap_err());
    assert!(d.message.contains("flat"), "{d}");
}

#[test]
fn layers_of_a_long_strip_are_counted_at_once() {
    // every tetrahedron is there twice, but for the last, which alone is at the surface
    let length = 50_000;
    let point = |i: usize| format!("{} {} {} ", i, i % 2, i % 3);
    let points: String = (0..length + 3).map(point).collect();
    let ids = |i: usize| format!("{} {} {} {} ", i, i + 1, i + 2, i + 3);
    let twice = |i: usize| ids(i).repeat(if i + 1 < length { 2 } else { 1 });
    let elements: String = (0..length).map(twice).collect();
    let text = in_body(&format!(
        "<flexcomp name='f' type='direct' dim='3' rigid='true' point='{points}' element='{elements}'/>"
    ));
    let begin = Instant::now();
    let m = load(&text, &options()).unwrap();
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    assert_eq!(m.flex_elemlayer[2 * length - 2], 0);
    // both of a kind are neighbours, and one of them has the next as its neighbour
    assert_eq!(m.flex_elemlayer[0], 2 * (length as i32 - 1));
}

#[test]
fn texture_coordinates_that_are_not_there_are_refused() {
    let flex = |corners: &str| {
        load(
            &format!(
                "<mujoco><deformable><flex name='f' body='world' vertex='0 0 0 1 0 0 0 1 0' element='0 1 2'
                 texcoord='0 0 1 0' elemtexcoord='{corners}'/></deformable></mujoco>"
            ),
            &options(),
        )
    };
    assert!(flex("0 1 1").is_ok());
    for corners in ["0 1 2", "0 -1 1", "2147483647 0 0"] {
        let d = only(flex(corners).unwrap_err());
        assert!(d.message.contains("texture coordinates"), "{d}");
    }
}

/// Numbers from a linear congruential generator.
fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 33) as usize
}

/// Changes a few bytes, words of four or eight bytes, or pieces of a file.
fn mutate(bytes: &mut Vec<u8>, seed: &mut u64) {
    const NUMBERS: [i64; 8] = [-1, 0, 1, 2, 7, 1 << 20, i32::MAX as i64, i64::MIN];
    const WORDS: [&str; 8] = ["0", "-1", "9", "1e308", "nan", "2147483647", " ", "99999999999"];
    for _ in 0..1 + random(seed) % 3 {
        if bytes.is_empty() {
            return;
        }
        let at = random(seed) % bytes.len();
        let rest = bytes.len() - at;
        let number = NUMBERS[random(seed) % 8].to_le_bytes();
        match random(seed) % 8 {
            0 => bytes[at] = random(seed) as u8,
            1 => bytes[at] ^= 1 << (random(seed) % 8),
            2 => bytes[at..at + rest.min(4)].copy_from_slice(&number[..rest.min(4)]),
            3 => bytes[at..at + rest.min(8)].copy_from_slice(&number[..rest.min(8)]),
            4 => bytes.truncate(at),
            5 => drop(bytes.drain(at..at + rest.min(random(seed) % 16))),
            6 => drop(bytes.splice(at..at + 1, WORDS[random(seed) % 8].bytes())),
            _ => {
                let piece = bytes[at..at + rest.min(random(seed) % 16)].to_vec();
                let to = random(seed) % bytes.len();
                drop(bytes.splice(to..to, piece));
            }
        }
    }
}

#[test]
fn changed_files_and_flexes_are_read_or_refused() {
    let skn = include_bytes!("../../../conformance/models/asset_parts/patch.skn").to_vec();
    let skin = "<mujoco><worldbody><body name='lower'/><body name='upper'/></worldbody>
        <asset><skin name='k' file='f.msh'/></asset></mujoco>"
        .replace(".msh", ".skn");
    let file = in_body(
        "<flexcomp name='f' type='gmsh' file='f.msh' dim='3'><elasticity young='1'/></flexcomp>",
    );
    let flexcomps = [
        "<flexcomp name='f' count='3 3 1' spacing='.1 .1 .1' radius='.01'><pin id='0' range='1 2' grid='2 2'/>
         <edge equality='true' damping='1'/><contact margin='.01'/></flexcomp>",
        "<flexcomp name='f' type='box' dim='3' count='3 3 3' dof='radial' scale='1 2 3' euler='1 2 3'/>",
        "<flexcomp name='f' dim='3' dof='quadratic' count='4 4 6'><pin gridrange='0 0 0 1 1 1'/>
         <contact selfcollide='none'/><elasticity young='10' poisson='.1'/></flexcomp>",
        "<flexcomp name='f' type='direct' dim='2' point='0 0 0 1 0 0 0 1 0 1 1 0 5 5 5' element='0 1 2 1 3 2'
         texcoord='0 0 1 0 0 1 1 1 2 2'><elasticity young='1' thickness='.1' elastic2d='both'/></flexcomp>",
    ];
    let mut seed = 3;
    let mut accepted = [0; 3];
    for round in 0..10_000 {
        let mut options = options();
        options.budget.array = 1 << 14;
        options.budget.elements = 1000;
        let (kind, model) = match round % 3 {
            0 => {
                let (version, binary) = FORMATS[random(&mut seed) % 4];
                let mut bytes = gmsh(version, binary);
                mutate(&mut bytes, &mut seed);
                (0, load(&file, &options.with_asset("f.msh", bytes)))
            }
            1 => {
                let mut bytes = skn.clone();
                mutate(&mut bytes, &mut seed);
                (1, load(&skin, &options.with_asset("f.skn", bytes)))
            }
            _ => {
                let mut bytes = flexcomps[random(&mut seed) % 4].as_bytes().to_vec();
                mutate(&mut bytes, &mut seed);
                (2, load(&in_body(&String::from_utf8_lossy(&bytes)), &options))
            }
        };
        if let Ok(model) = model {
            accepted[kind] += 1;
            model.validate().unwrap_or_else(|e| panic!("round {round}: {e}"));
        }
    }
    assert!(accepted.iter().all(|n| *n > 50), "{accepted:?}");
}
