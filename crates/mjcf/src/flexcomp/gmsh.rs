//! Points and elements of a GMSH file, format 4.1 or 2.2, text or binary. All nodes are in one block, and so are all elements,
//! which are lines, triangles or tetrahedra of the first order.

use super::Lattice;

/// The size of the numbers before the data of a binary section of format 4.1.
const HEADER_41: usize = 52;

/// Both sections of a file.
struct Sections<'a> {
    nodes: &'a [u8],
    elements: &'a [u8],
}

/// Reads a file; its elements decide on the dimension. MuJoCo: `LoadGMSH`.
pub(crate) fn read(lattice: &mut Lattice, bytes: &[u8]) -> Result<(), String> {
    let rest = bytes.strip_prefix(b"$MeshFormat").ok_or("a GMSH file begins with $MeshFormat")?;
    let head = Text::new(&rest[..rest.len().min(64)]);
    let mut words = head.0.split_whitespace();
    let version = words.next().and_then(|w| w.parse::<f64>().ok());
    let binary = words.next().and_then(|w| w.parse::<i32>().ok());
    let (Some(version), Some(binary)) = (version, binary) else {
        return Err(String::from("the format of the GMSH file cannot be read"));
    };
    let sections =
        Sections { nodes: section(bytes, "Nodes")?, elements: section(bytes, "Elements")? };
    match ((100.0 * version).round(), binary) {
        (410.0, 0) => text_41(lattice, &sections),
        (410.0, _) => binary_41(lattice, &sections),
        (220.0, 0) => text_22(lattice, &sections),
        (220.0, _) => binary_22(lattice, &sections),
        _ => Err(String::from("only the versions 4.1 and 2.2 of GMSH files are supported")),
    }
}

/// What lies between `$Name` with the byte after it, and `$EndName`.
fn section<'a>(bytes: &'a [u8], name: &str) -> Result<&'a [u8], String> {
    let find = |text: String| {
        let text = text.as_bytes();
        // MuJoCo does not look at the very end
        bytes.windows(text.len()).position(|w| w == text).filter(|i| i + text.len() < bytes.len())
    };
    let begin = find(format!("${name}")).map(|i| i + name.len() + 2);
    let end = find(format!("$End{name}"));
    match (begin, end) {
        (Some(begin), Some(end)) if begin <= end => Ok(&bytes[begin..end]),
        _ => Err(format!("the GMSH file has no section ${name} that ends with $End{name}")),
    }
}

/// Words of a text, each of which something follows.
struct Text<'a>(&'a str);

impl<'a> Text<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        // what is not text is no number either
        let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        Self(valid)
    }

    /// The next number; an error names what it was for.
    fn next<T: core::str::FromStr>(&mut self, what: &str) -> Result<T, String> {
        let failed = || format!("{what} of the GMSH file cannot be read");
        let start = self.0.trim_ascii_start();
        let end = start.find(|c: char| c.is_ascii_whitespace()).ok_or_else(failed)?;
        let (word, rest) = start.split_at(end);
        self.0 = rest;
        let numeric = word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        word.parse().ok().filter(|_| numeric).ok_or_else(failed)
    }

    /// Is the first line made of digits alone, or empty?
    fn begins_with_digits(&self) -> bool {
        self.0.split('\n').next().is_some_and(|line| line.bytes().all(|b| b.is_ascii_digit()))
    }

    fn point(&mut self) -> Result<[f64; 3], String> {
        let mut next = || self.next("the coordinates of a node");
        Ok([next()?, next()?, next()?])
    }
}

/// Numbers of a binary section.
struct Binary<'a>(&'a [u8]);

impl Binary<'_> {
    fn at<const N: usize>(&self, offset: usize) -> Result<[u8; N], String> {
        let found = self.0.get(offset..).and_then(|rest| rest.first_chunk::<N>());
        found.copied().ok_or_else(|| String::from("the GMSH file ends too early"))
    }

    fn int(&self, offset: usize) -> Result<i32, String> {
        self.at(offset).map(i32::from_le_bytes)
    }

    fn long(&self, offset: usize) -> Result<u64, String> {
        self.at(offset).map(u64::from_le_bytes)
    }

    fn point(&self, offset: usize) -> Result<[f64; 3], String> {
        let real = |k: usize| self.at(offset + 8 * k).map(f64::from_le_bytes);
        Ok([real(0)?, real(1)?, real(2)?])
    }

    /// Is there room for so many entries behind a header?
    fn expect(&self, header: usize, count: usize, size: usize) -> Result<(), String> {
        let needed = count.checked_mul(size).and_then(|n| n.checked_add(header));
        if needed.is_some_and(|n| n <= self.0.len()) {
            Ok(())
        } else {
            Err(String::from("a section of the GMSH file is too short"))
        }
    }
}

/// The header of a section of format 4.1.
struct Header41 {
    blocks: u64,
    count: u64,
    first_tag: u64,
    last_tag: u64,
    dim: i32,
    kind: i32,
    in_block: u64,
}

impl Header41 {
    fn from_text(text: &mut Text<'_>, what: &str) -> Result<Self, String> {
        let (blocks, count) = (text.next(what)?, text.next(what)?);
        let (first_tag, last_tag) = (text.next(what)?, text.next(what)?);
        let (dim, _entity): (i32, i32) = (text.next(what)?, text.next(what)?);
        let (kind, in_block) = (text.next(what)?, text.next(what)?);
        Ok(Self { blocks, count, first_tag, last_tag, dim, kind, in_block })
    }

    fn from_binary(section: &Binary<'_>) -> Result<Self, String> {
        Ok(Self {
            blocks: section.long(0)?,
            count: section.long(8)?,
            first_tag: section.long(16)?,
            last_tag: section.long(24)?,
            dim: section.int(32)?,
            kind: section.int(40)?,
            in_block: section.long(44)?,
        })
    }

    fn one_block(&self, what: &str) -> Result<usize, String> {
        if self.blocks != 1 || self.count != self.in_block {
            return Err(format!("all {what} of a GMSH file must be in one block"));
        }
        usize::try_from(self.count).map_err(|_| format!("too many {what} in the GMSH file"))
    }

    fn nodes(&self) -> Result<(usize, usize), String> {
        let count = self.one_block("nodes")?;
        match self.dim {
            1..=3 => Ok((count, self.dim as usize)),
            _ => Err(String::from("the entity of a GMSH file must have 1, 2 or 3 dimensions")),
        }
    }

    fn elements(&self, dim: usize) -> Result<usize, String> {
        let count = self.one_block("elements")?;
        let kind = [1, 2, 4][dim - 1];
        if self.dim != dim as i32 || self.kind != kind {
            return Err(String::from(
                "the elements of the GMSH file do not fit the dimension of its nodes",
            ));
        }
        Ok(count)
    }
}

fn text_41(lattice: &mut Lattice, sections: &Sections<'_>) -> Result<(), String> {
    let mut text = Text::new(sections.nodes);
    let header = Header41::from_text(&mut text, "the header of nodes")?;
    let (count, dim) = header.nodes()?;
    if header.last_tag != header.in_block {
        return Err(String::from(
            "the last tag of a node must be the number of nodes in the block",
        ));
    }
    lattice.dim = dim;
    for i in 0..count as u64 {
        sequential(text.next("the tag of a node")?, header.first_tag, i)?;
    }
    for _ in 0..count {
        lattice.point.push(text.point()?);
    }
    let first = header.first_tag;
    let mut text = Text::new(sections.elements);
    let header = Header41::from_text(&mut text, "the header of elements")?;
    for _ in 0..header.elements(dim)? {
        text.next::<u64>("an element")?;
        for _ in 0..=dim {
            let tag: u64 = text.next("an element")?;
            lattice.element.push(tag.wrapping_sub(first) as i32);
        }
    }
    Ok(())
}

fn sequential(tag: u64, first: u64, i: u64) -> Result<(), String> {
    if tag == first.wrapping_add(i) {
        Ok(())
    } else {
        Err(String::from("the tags of the nodes of a GMSH file must be in sequence"))
    }
}

fn binary_41(lattice: &mut Lattice, sections: &Sections<'_>) -> Result<(), String> {
    let nodes = Binary(sections.nodes);
    let header = Header41::from_binary(&nodes)?;
    let (count, dim) = header.nodes()?;
    lattice.dim = dim;
    nodes.expect(HEADER_41, count, 32)?;
    for i in 0..count {
        sequential(nodes.long(HEADER_41 + 8 * i)?, header.first_tag, i as u64)?;
    }
    for i in 0..count {
        lattice.point.push(nodes.point(HEADER_41 + 8 * count + 24 * i)?);
    }
    let first = header.first_tag;
    let elements = Binary(sections.elements);
    let header = Header41::from_binary(&elements)?;
    let count = header.elements(dim)?;
    let size = 8 * (dim + 2);
    elements.expect(HEADER_41, count, size)?;
    for i in 0..count {
        for k in 0..=dim {
            let tag = elements.long(HEADER_41 + size * i + 8 * (k + 1))?;
            lattice.element.push(tag.wrapping_sub(first) as i32);
        }
    }
    Ok(())
}

/// The dimension of elements of a type of format 2.2.
fn dimension(kind: i32) -> Result<usize, String> {
    match kind {
        2 => Ok(2),
        4 => Ok(3),
        _ => Err(String::from("the elements of the GMSH file are no triangles and no tetrahedra")),
    }
}

/// The number of a node, whose tag is at most `most`.
fn node(tag: i32, most: usize) -> Result<i32, String> {
    match usize::try_from(tag) {
        Ok(t) if (1..=most).contains(&t) => Ok(tag - 1),
        _ => Err(format!("an element of the GMSH file has the node {tag}, which does not exist")),
    }
}

fn text_22(lattice: &mut Lattice, sections: &Sections<'_>) -> Result<(), String> {
    let mut text = Text::new(sections.nodes);
    let not_a_number = |what: &str| format!("the number of {what} of the GMSH file cannot be read");
    if !text.begins_with_digits() {
        return Err(not_a_number("nodes"));
    }
    let nodes: usize = text.next("the number of nodes")?;
    for _ in 0..nodes {
        text.next::<u64>("the tag of a node")?;
        lattice.point.push(text.point()?);
    }
    let mut text = Text::new(sections.elements);
    if !text.begins_with_digits() {
        return Err(not_a_number("elements"));
    }
    let count: usize = text.next("the number of elements")?;
    let mut dim = None;
    for _ in 0..count {
        let mut next = || text.next::<i32>("an element");
        let (_tag, kind, tags) = (next()?, next()?, next()?);
        // the first element speaks for all, and has two tags if any
        let dim = match dim {
            Some(dim) => dim,
            None => *dim.insert(dimension(kind)?),
        };
        if tags > 0 {
            next()?;
            next()?;
        }
        for _ in 0..=dim {
            lattice.element.push(node(next()?, nodes)?);
        }
    }
    lattice.dim = dim.unwrap_or(lattice.dim);
    Ok(())
}

/// The number at the beginning of a section, and the size of its text: up to the first zero byte, but for the byte before it, which
/// belongs to the data.
fn counted(section: &[u8]) -> Result<(usize, usize), String> {
    let begin = &section[..section.len().min(10)];
    let length = begin.iter().position(|b| *b == 0).unwrap_or(begin.len());
    let text = begin[..length].trim_ascii_start();
    let digits = text.iter().position(|b| !b.is_ascii_digit()).unwrap_or(text.len());
    let number = core::str::from_utf8(&text[..digits]).ok().and_then(|t| t.parse::<i32>().ok());
    let number = number.and_then(|n| usize::try_from(n).ok());
    let failed = "a number at the beginning of a section of the GMSH file cannot be read";
    Ok((number.ok_or(failed)?, length.saturating_sub(1)))
}

fn binary_22(lattice: &mut Lattice, sections: &Sections<'_>) -> Result<(), String> {
    let nodes = Binary(sections.nodes);
    let (node_count, header) = counted(sections.nodes)?;
    nodes.expect(4, node_count, 28)?;
    for i in 0..node_count {
        lattice.point.push(nodes.point(header + 28 * i + 4)?);
    }

    let elements = Binary(sections.elements);
    let (count, header) = counted(sections.elements)?;
    let dim = dimension(elements.int(header)?)?;
    lattice.dim = dim;
    elements.expect(17, count, 20)?;
    let tagged = elements.int(header + 8)? > 0;
    let size = if tagged {
        // type, following, tags, number, two tags and the nodes
        elements.expect(4, count, 4 * (7 + dim))?;
        4 * (7 + dim)
    } else {
        20
    };
    for i in 0..count {
        // tags beyond the first element are compared with the number of elements, as MuJoCo does
        let most = if i == 0 { node_count } else { count };
        let first = match (tagged, i) {
            (true, _) => 24 + size * i,
            (false, 0) => 16,
            (false, _) => 36 + size * (i - 1),
        };
        for k in 0..=dim {
            lattice.element.push(node(elements.int(header + first + 4 * k)?, most)?);
        }
    }
    Ok(())
}
