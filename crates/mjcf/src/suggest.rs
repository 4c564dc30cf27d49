//! Finds the known word that a misspelt one was probably meant to be.

/// The known word nearest to `word`, if it is near enough to be a likely misspelling.
///
/// ```
/// let joints = ["hip", "knee", "ankle"];
/// assert_eq!(ferrodyn_mjcf::closest("ankel", joints.into_iter()), Some("ankle"));
/// assert_eq!(ferrodyn_mjcf::closest("elbow", joints.into_iter()), None);
/// ```
pub fn closest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let chars: Vec<char> = word.chars().take(40).collect();
    let limit = (chars.len() / 3).max(1);
    known
        .filter(|candidate| !candidate.is_empty() && *candidate != word)
        .map(|candidate| (distance(&chars, candidate), candidate))
        .filter(|(d, candidate)| *d <= limit && *d < candidate.chars().count())
        .min_by_key(|(d, _)| *d)
        .map(|(_, candidate)| candidate)
}

/// Edit distance in which exchanging two neighbours counts once; letter case is free.
fn distance(a: &[char], b: &str) -> usize {
    let lower = |c: &char| c.to_ascii_lowercase();
    let a: Vec<char> = a.iter().map(lower).collect();
    let b: Vec<char> = b.chars().take(60).map(|c| c.to_ascii_lowercase()).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let change = usize::from(a[i] != b[j]);
            let mut best = (last[j] + change).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = core::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn finds_a_swapped_pair_of_letters() {
        assert_eq!(closest("siez", ["size", "site", "type"].into_iter()), Some("size"));
    }

    #[test]
    fn keeps_silent_when_nothing_is_near() {
        assert_eq!(closest("banana", ["size", "site"].into_iter()), None);
    }

    #[test]
    fn ignores_letter_case() {
        assert_eq!(closest("Geom", ["geom", "joint"].into_iter()), Some("geom"));
    }
}
