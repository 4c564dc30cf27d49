//! Values of attributes: how each type is read from text, and how a value lies over a default.

use crate::suggest::closest;

/// A value that cannot be read: what was expected, and a close match for a misspelt word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ValueError {
    pub(crate) expected: String,
    pub(crate) suggestion: Option<String>,
}

impl ValueError {
    pub(crate) fn new(expected: impl Into<String>) -> Self {
        Self { expected: expected.into(), suggestion: None }
    }
}

/// A type that attribute values are read into.
pub(crate) trait AttrValue: Sized + Clone {
    /// Reads the text of the attribute `name`. `None` means that the text leaves the attribute
    /// unset, as an empty list of numbers does.
    fn read(name: &str, text: &str) -> Result<Option<Self>, ValueError>;

    /// The text that [`read`](Self::read) turns into this value.
    fn write(&self) -> String;

    /// Which of the names of an attribute writes this value.
    fn name<'n>(&self, names: &[&'n str]) -> &'n str {
        names[0]
    }

    /// This value where it lies over that of a default; types with parts keep the default's rest.
    #[must_use]
    fn over(self, _default: &Self) -> Self {
        self
    }
}

/// Lays an optional value over an optional default.
pub(crate) fn over<T: AttrValue>(value: &Option<T>, default: &Option<T>) -> Option<T> {
    match (value, default) {
        (Some(v), Some(d)) => Some(v.clone().over(d)),
        (Some(v), None) => Some(v.clone()),
        (None, d) => d.clone(),
    }
}

/// The words of a text, separated by what C calls white space.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '\t', '\n', '\r', '\x0b', '\x0c']).filter(|w| !w.is_empty())
}

/// A type of number.
pub(crate) trait Number: Copy {
    fn read_number(word: &str) -> Result<Self, ValueError>;

    /// The shortest text that reads back as the same number.
    fn write_number(self) -> String;
}

/// Numbers as text, separated by spaces.
pub(crate) fn join_numbers<T: Number>(list: &[T]) -> String {
    let words: Vec<String> = list.iter().map(|x| x.write_number()).collect();
    words.join(" ")
}

/// Whether a word is a decimal number: no names of special values, no hexadecimal digits.
fn is_decimal(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E'))
}

/// Whether a decimal number has a digit other than zero before its exponent.
fn has_nonzero_digit(word: &str) -> bool {
    word.bytes().take_while(|b| !matches!(b, b'e' | b'E')).any(|b| matches!(b, b'1'..=b'9'))
}

macro_rules! real_number {
    ($type:ty) => {
        impl Number for $type {
            fn read_number(word: &str) -> Result<Self, ValueError> {
                let number = if is_decimal(word) { word.parse::<$type>().ok() } else { None };
                match number {
                    None => Err(ValueError::new("a finite decimal number")),
                    // too large, or so small that digits are lost: both are out of range in C
                    Some(x) if x.is_infinite() || x.is_subnormal() => out_of_range(),
                    Some(x) if x == 0.0 && has_nonzero_digit(word) => out_of_range(),
                    Some(x) => Ok(x),
                }
            }

            fn write_number(self) -> String {
                // numbers that are too small to be read are as good as zero
                if self.is_subnormal() {
                    return String::from("0");
                }
                let size = self.abs();
                // within these bounds the digits are shorter than an exponent, and no zeros are made up
                if size == 0.0 || (1e-5..1e15).contains(&size) {
                    format!("{self}")
                } else {
                    format!("{self:e}")
                }
            }
        }
    };
}

real_number!(f64);
real_number!(f32);

fn out_of_range<T>() -> Result<T, ValueError> {
    Err(ValueError::new("a number within the range of the type"))
}

impl Number for i32 {
    fn read_number(word: &str) -> Result<Self, ValueError> {
        word.parse().map_err(|_| ValueError::new("an integer"))
    }

    fn write_number(self) -> String {
        self.to_string()
    }
}

impl Number for u8 {
    fn read_number(word: &str) -> Result<Self, ValueError> {
        word.parse().map_err(|_| ValueError::new("an integer from 0 to 255"))
    }

    fn write_number(self) -> String {
        self.to_string()
    }
}

/// Reads at most `most` numbers.
pub(crate) fn numbers<T: Number>(text: &str, most: usize) -> Result<Vec<T>, ValueError> {
    let mut list = Vec::new();
    for word in words(text) {
        if list.len() == most {
            return Err(ValueError::new(format!("at most {most} numbers")));
        }
        list.push(T::read_number(word)?);
    }
    Ok(list)
}

/// Exactly `N` numbers; an empty text leaves the attribute unset.
fn exactly<T: Number, const N: usize>(text: &str) -> Result<Option<[T; N]>, ValueError> {
    let expected = || {
        ValueError::new(if N == 1 { String::from("one number") } else { format!("{N} numbers") })
    };
    let list = match numbers::<T>(text, N) {
        Ok(list) => list,
        Err(_) if words(text).all(|w| T::read_number(w).is_ok()) => return Err(expected()),
        Err(e) => return Err(e),
    };
    if list.is_empty() {
        return Ok(None);
    }
    list.try_into().map(Some).map_err(|_| expected())
}

impl<T: Number, const N: usize> AttrValue for [T; N] {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        exactly(text)
    }

    fn write(&self) -> String {
        join_numbers(self)
    }
}

impl AttrValue for f64 {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        Ok(exactly::<f64, 1>(text)?.map(|[x]| x))
    }

    fn write(&self) -> String {
        self.write_number()
    }
}

impl AttrValue for f32 {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        Ok(exactly::<f32, 1>(text)?.map(|[x]| x))
    }

    fn write(&self) -> String {
        self.write_number()
    }
}

impl AttrValue for i32 {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        // unlike lists of numbers, a single integer may not be empty
        match exactly::<i32, 1>(text)? {
            Some([x]) => Ok(Some(x)),
            None => Err(ValueError::new("an integer")),
        }
    }

    fn write(&self) -> String {
        self.write_number()
    }
}

impl AttrValue for String {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        Ok(Some(text.to_owned()))
    }

    fn write(&self) -> String {
        self.clone()
    }
}

/// A list of any number of numbers, at least one.
impl<T: Number> AttrValue for Vec<T> {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        let list = numbers(text, usize::MAX)?;
        Ok(if list.is_empty() { None } else { Some(list) })
    }

    fn write(&self) -> String {
        join_numbers(self)
    }
}

/// Any number of words, at least one.
impl AttrValue for Vec<String> {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        let list: Self = words(text).map(str::to_owned).collect();
        Ok(if list.is_empty() { None } else { Some(list) })
    }

    fn write(&self) -> String {
        self.join(" ")
    }
}

/// Lists of numbers, separated by semicolons. Only programs set them: the model language has an element for each list.
impl<T: Number> AttrValue for Vec<Vec<T>> {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        text.split(';').map(|list| numbers(list, usize::MAX)).collect::<Result<_, _>>().map(Some)
    }

    fn write(&self) -> String {
        let lists: Vec<String> = self.iter().map(|list| join_numbers(list)).collect();
        lists.join(";")
    }
}

/// The two words of a yes-or-no attribute: `true` and `false`.
impl AttrValue for bool {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        keyword(text, &[("false", false), ("true", true)]).map(Some)
    }

    fn write(&self) -> String {
        self.to_string()
    }
}

/// The words of a switch: `enable` and `disable`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch(pub bool);

impl From<bool> for Switch {
    fn from(on: bool) -> Self {
        Self(on)
    }
}

impl AttrValue for Switch {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        keyword(text, &[("disable", Self(false)), ("enable", Self(true))]).map(Some)
    }

    fn write(&self) -> String {
        String::from(if self.0 { "enable" } else { "disable" })
    }
}

/// Finds a word in a table of words.
pub(crate) fn keyword<T: Copy>(text: &str, table: &[(&str, T)]) -> Result<T, ValueError> {
    match table.iter().find(|(word, _)| *word == text) {
        Some((_, value)) => Ok(*value),
        None => {
            let list: Vec<&str> = table.iter().map(|(word, _)| *word).collect();
            Err(ValueError {
                expected: format!("one of: {}", list.join(", ")),
                suggestion: closest(text, list.iter().copied()).map(str::to_owned),
            })
        }
    }
}

/// Up to `N` numbers of which only some are given; the others keep their defaults.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partial<const N: usize> {
    values: [Option<f64>; N],
}

impl<const N: usize> Partial<N> {
    /// The given numbers, and those of `rest` where none is given.
    pub fn or(&self, rest: [f64; N]) -> [f64; N] {
        core::array::from_fn(|i| self.values[i].unwrap_or(rest[i]))
    }

    /// The given numbers up to the first that is not given.
    pub fn given(&self) -> Vec<f64> {
        self.values.iter().map_while(|x| *x).collect()
    }

    /// How many numbers are given.
    pub fn count(&self) -> usize {
        self.values.iter().flatten().count()
    }
}

/// The first numbers of a list, at most `N` of them.
impl<const N: usize> From<&[f64]> for Partial<N> {
    fn from(list: &[f64]) -> Self {
        Self { values: core::array::from_fn(|i| list.get(i).copied()) }
    }
}

/// The numbers of an array, at most `N` of them.
impl<const N: usize, const M: usize> From<[f64; M]> for Partial<N> {
    fn from(list: [f64; M]) -> Self {
        Self::from(list.as_slice())
    }
}

/// The given numbers of an optional partial list, and those of `rest` elsewhere.
pub(crate) fn partial_or<const N: usize>(value: &Option<Partial<N>>, rest: [f64; N]) -> [f64; N] {
    value.as_ref().map_or(rest, |p| p.or(rest))
}

impl<const N: usize> AttrValue for Partial<N> {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        let list = numbers::<f64>(text, N)?;
        if list.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self::from(list.as_slice())))
    }

    fn write(&self) -> String {
        join_numbers(&self.given())
    }

    fn over(self, default: &Self) -> Self {
        Self { values: core::array::from_fn(|i| self.values[i].or(default.values[i])) }
    }
}

/// A quaternion w x y z as written: not zero, not yet normalized.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawQuat(pub [f64; 4]);

impl From<[f64; 4]> for RawQuat {
    fn from(quat: [f64; 4]) -> Self {
        Self(quat)
    }
}

impl AttrValue for RawQuat {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        match exactly::<f64, 4>(text)? {
            Some([0.0, 0.0, 0.0, 0.0]) => Err(ValueError::new("a quaternion that is not zero")),
            q => Ok(q.map(Self)),
        }
    }

    fn write(&self) -> String {
        join_numbers(&self.0)
    }
}

/// An orientation written otherwise than as a quaternion, in the unit of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Orientation {
    /// Axis and angle.
    AxisAngle([f64; 4]),
    /// Two axes; the second is made orthogonal to the first.
    XyAxes([f64; 6]),
    /// The z axis, reached by the shortest rotation.
    ZAxis([f64; 3]),
    /// Three angles about the axes of the compiler's `eulerseq`.
    Euler([f64; 3]),
}

impl AttrValue for Orientation {
    fn read(name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        Ok(match name {
            "axisangle" => exactly(text)?.map(Self::AxisAngle),
            "xyaxes" => exactly(text)?.map(Self::XyAxes),
            "zaxis" => exactly(text)?.map(Self::ZAxis),
            _ => exactly(text)?.map(Self::Euler),
        })
    }

    fn write(&self) -> String {
        match self {
            Self::AxisAngle(x) => join_numbers(x),
            Self::XyAxes(x) => join_numbers(x),
            Self::ZAxis(x) | Self::Euler(x) => join_numbers(x),
        }
    }

    fn name<'n>(&self, _names: &[&'n str]) -> &'n str {
        match self {
            Self::AxisAngle(_) => "axisangle",
            Self::XyAxes(_) => "xyaxes",
            Self::ZAxis(_) => "zaxis",
            Self::Euler(_) => "euler",
        }
    }
}

/// Names of objects, separated by spaces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameList(pub Vec<String>);

impl AttrValue for NameList {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        let list: Vec<String> = words(text).map(str::to_owned).collect();
        Ok(if list.is_empty() { None } else { Some(Self(list)) })
    }

    fn write(&self) -> String {
        self.0.join(" ")
    }
}

/// The size of the memory for one world, in bytes, with an optional unit letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemorySize(pub u64);

impl AttrValue for MemorySize {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        let expected =
            || ValueError::new("an unsigned integer with an optional unit K, M, G, T, P or E");
        // one word, with nothing after it
        let word = text.trim_start_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']);
        if word == "-1" {
            return Ok(None);
        }
        let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let shift = match &word[digits.len()..] {
            "" => 0,
            "K" | "k" => 10,
            "M" | "m" => 20,
            "G" | "g" => 30,
            "T" | "t" => 40,
            "P" | "p" => 50,
            "E" | "e" => 60,
            _ => return Err(expected()),
        };
        let base: u64 = digits.parse().map_err(|_| expected())?;
        let bytes = base.checked_mul(1_u64 << shift).ok_or_else(expected)?;
        Ok(Some(Self(bytes)))
    }

    fn write(&self) -> String {
        self.0.to_string()
    }
}

/// Actuator groups that are switched off, one bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupMask(pub i32);

impl AttrValue for GroupMask {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        const GROUPS: usize = 31;
        let groups = numbers::<i32>(text, GROUPS)?;
        if groups.iter().any(|g| !(0..GROUPS as i32).contains(g)) {
            return Err(ValueError::new("groups from 0 to 30"));
        }
        Ok(Some(Self(groups.iter().fold(0, |mask, g| mask | (1 << g)))))
    }

    fn write(&self) -> String {
        let groups: Vec<i32> = (0..31).filter(|g| self.0 & (1 << g) != 0).collect();
        join_numbers(&groups)
    }

    /// Groups add up over several `<option>` elements.
    fn over(self, default: &Self) -> Self {
        Self(self.0 | default.0)
    }
}

/// The order of the axes of euler angles: three letters, checked where an orientation needs them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EulerSequence(pub [u8; 3]);

impl AttrValue for EulerSequence {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        let letters = text.as_bytes().try_into().map_err(|_| ValueError::new("three letters"))?;
        Ok(Some(Self(letters)))
    }

    fn write(&self) -> String {
        self.0.iter().map(|b| char::from(*b)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_finite_decimals() {
        for bad in ["nan", "inf", "-inf", "0x10", "1,2", "1e400", "1e-400", "1e-310", "1e", "1.2.3"]
        {
            assert!(f64::read("a", bad).is_err(), "{bad}");
        }
        for good in ["1", "+1", "-.5", "1.", "1e3", " 2 ", "0e5", "0.0"] {
            assert!(f64::read("a", good).is_ok(), "{good}");
        }
        assert_eq!(f64::read("a", "").unwrap(), None);
    }

    #[test]
    fn a_single_integer_may_not_be_empty_or_fractional() {
        assert!(i32::read("a", "").is_err());
        assert!(i32::read("a", "1.0").is_err());
        assert!(i32::read("a", "99999999999").is_err());
        assert_eq!(i32::read("a", " +3 ").unwrap(), Some(3));
    }

    #[test]
    fn a_partial_list_keeps_the_rest_of_its_default() {
        let child = Partial::<3>::read("a", "9").unwrap().unwrap();
        let parent = Partial::<3>::read("a", "1 2").unwrap().unwrap();
        assert_eq!(child.over(&parent).or([7.0, 8.0, 6.0]), [9.0, 2.0, 6.0]);
        assert!(Partial::<3>::read("a", "1 2 3 4").is_err());
    }

    #[test]
    fn memory_sizes_take_a_unit() {
        assert_eq!(MemorySize::read("a", "10K").unwrap(), Some(MemorySize(10240)));
        assert_eq!(MemorySize::read("a", "-1").unwrap(), None);
        for bad in ["-2", "K", "10KB", "1 2", "1 1", "100E", "1 ", ""] {
            assert!(MemorySize::read("a", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_misspelt_keyword_gets_a_suggestion() {
        assert_eq!(bool::read("a", "ture").unwrap_err().suggestion.as_deref(), Some("true"));
    }
}
