//! File names as MuJoCo writes them: text with `/` or `\`, shortened without asking the file system.

/// The part of a name that makes it absolute: a leading separator, or a drive letter.
fn absolute_prefix(name: &str) -> &str {
    let bytes = name.as_bytes();
    let is_separator = |b: u8| b == b'/' || b == b'\\';
    match bytes {
        [first, ..] if is_separator(*first) => &name[..1],
        [drive, b':', third, ..] if drive.is_ascii_alphabetic() && is_separator(*third) => {
            &name[..3]
        }
        _ => "",
    }
}

/// Whether a name is absolute.
pub(crate) fn is_absolute(name: &str) -> bool {
    !absolute_prefix(name).is_empty()
}

/// A name without `.` steps and with `..` steps taken where the step before them is known.
pub(crate) fn reduce(name: &str) -> String {
    let prefix = absolute_prefix(name);
    let mut steps: Vec<&str> = Vec::new();
    let mut rest = name[prefix.len()..].split(['/', '\\']).peekable();
    while let Some(step) = rest.next() {
        let is_last = rest.peek().is_none();
        if is_last {
            steps.push(step);
        } else if step == ".." && steps.last().is_some_and(|s| *s != "..") {
            steps.pop();
        } else if step != "." {
            steps.push(step);
        }
    }
    format!("{prefix}{}", steps.join("/"))
}

/// A name relative to a directory, shortened; an absolute name stands for itself.
pub(crate) fn join(directory: &str, name: &str) -> String {
    if is_absolute(name) {
        return reduce(name);
    }
    let separated = directory.is_empty() || directory.ends_with(['/', '\\']);
    reduce(&if separated { format!("{directory}{name}") } else { format!("{directory}/{name}") })
}

/// The directory part of a name, with its separator; empty when there is none.
pub(crate) fn directory(name: &str) -> &str {
    name.rfind(['/', '\\']).map_or("", |i| &name[..=i])
}

/// The last part of a name.
pub(crate) fn file_name(name: &str) -> &str {
    &name[directory(name).len()..]
}

/// A name without its extension.
pub(crate) fn stem(name: &str) -> &str {
    name.rfind('.').map_or(name, |i| &name[..i])
}

#[cfg(test)]
mod tests {
    use super::{directory, join, reduce};

    #[test]
    fn shortens_steps() {
        assert_eq!(reduce("./a/../b/c.xml"), "b/c.xml");
        assert_eq!(reduce("../../a.xml"), "../../a.xml");
        assert_eq!(reduce("/x/./y.xml"), "/x/y.xml");
    }

    #[test]
    fn joins_unless_absolute() {
        assert_eq!(join("a/b", "../c.xml"), "a/c.xml");
        assert_eq!(join("a", "/c.xml"), "/c.xml");
        assert_eq!(join("", "c.xml"), "c.xml");
    }

    #[test]
    fn splits_off_the_directory() {
        assert_eq!(directory("a/b.xml"), "a/");
        assert_eq!(directory("b.xml"), "");
    }
}
