//! Parameters and initial states that differ from world to world, from a text.
//!
//! A line is `NAME scale|add|set LOW HIGH`; what stands behind `#` is a remark. Every number of the array in every world is drawn by itself.
use ferrodyn::BatchSim;
use ferrodyn::math::{Real, double};

use super::Result;
use super::random::Random;

/// What happens to a number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    /// It is multiplied.
    Scale,
    /// Something is added to it.
    Add,
    /// Another one takes its place.
    Set,
}

impl Operation {
    fn apply(self, to: &mut Real, drawn: f64) {
        let value = double(*to);
        *to = match self {
            Operation::Scale => value * drawn,
            Operation::Add => value + drawn,
            Operation::Set => drawn,
        } as Real;
    }
}

/// A line.
#[derive(Debug, PartialEq)]
struct Rule {
    line: usize,
    name: String,
    operation: Operation,
    range: [f64; 2],
}

/// All lines of a text.
#[derive(Debug, PartialEq)]
pub(super) struct Randomization(Vec<Rule>);

impl Randomization {
    /// Read a text; errors name the place.
    pub(super) fn parse(text: &str, place: &str) -> Result<Randomization> {
        let mut rules = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            let words: Vec<&str> = line.split_whitespace().collect();
            if words.is_empty() {
                continue;
            }
            let rule = Rule::parse(i + 1, &words).map_err(|e| format!("{place}:{}: {e}", i + 1))?;
            rules.push(rule);
        }
        Ok(Randomization(rules))
    }

    /// Draw all numbers and bring the worlds to their initial states.
    pub(super) fn apply(
        &self,
        batch: &mut BatchSim,
        random: &mut Random,
        place: &str,
    ) -> Result<()> {
        let (nq, row) = (batch.model().nq, batch.model().nq + batch.model().nv);
        let mut states = batch.result().states.clone();
        for rule in &self.0 {
            let draw = |values: &mut [Real], random: &mut Random| {
                for value in values {
                    rule.operation.apply(value, random.between(rule.range[0], rule.range[1]));
                }
            };
            match rule.name.as_str() {
                "qpos" | "qvel" => {
                    let part = if rule.name == "qpos" { 0..nq } else { nq..row };
                    for row in states.chunks_exact_mut(row.max(1)) {
                        draw(&mut row[part.clone()], random);
                    }
                }
                name => {
                    for world in 0..batch.len() {
                        let values = values_of(batch, name, world);
                        let values = values.map_err(|e| format!("{place}:{}: {e}", rule.line))?;
                        draw(values, random);
                    }
                }
            }
        }
        batch.start_at_states(&states)?;
        batch.reset_all().map_err(|e| format!("{place}: {e}"))?;
        Ok(())
    }
}

/// The values of an array or an option in one world.
fn values_of<'a>(batch: &'a mut BatchSim, name: &str, world: usize) -> Result<&'a mut [Real]> {
    let Some(option) = name.strip_prefix("opt.") else {
        batch.vary(name)?;
        return Ok(batch.parameter_mut(name, world)?);
    };
    batch.vary_options();
    let opt = batch.options_mut(world)?;
    Ok(match option {
        "gravity" => &mut opt.gravity.0,
        "wind" => &mut opt.wind.0,
        "magnetic" => &mut opt.magnetic.0,
        "density" => std::slice::from_mut(&mut opt.density),
        "viscosity" => std::slice::from_mut(&mut opt.viscosity),
        "timestep" => std::slice::from_mut(&mut opt.timestep),
        "impratio" => std::slice::from_mut(&mut opt.impratio),
        _ => {
            let known = "gravity, wind, magnetic, density, viscosity, timestep and impratio";
            return Err(format!("no option `{option}` can vary: {known} can").into());
        }
    })
}

impl Rule {
    fn parse(line: usize, words: &[&str]) -> std::result::Result<Rule, String> {
        let [name, operation, low, high] = words else {
            return Err(format!(
                "a line is `NAME scale|add|set LOW HIGH`, and not `{}`",
                words.join(" ")
            ));
        };
        let operation = match *operation {
            "scale" => Operation::Scale,
            "add" => Operation::Add,
            "set" => Operation::Set,
            other => return Err(format!("`{other}` is none of scale, add and set")),
        };
        let number = |word: &str| {
            let value = word.parse::<f64>().ok().filter(|value| value.is_finite());
            value.ok_or_else(|| format!("`{word}` is no finite number"))
        };
        let range = [number(low)?, number(high)?];
        if range[0] > range[1] {
            return Err(format!("the range from {low} to {high} is empty"));
        }
        Ok(Rule { line, name: (*name).to_owned(), operation, range })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_rules() {
        let text = "# everything\nbody_mass scale 0.8 1.2 # heavier, lighter\n\n  qvel add -1 1\n";
        let rules = Randomization::parse(text, "file").unwrap().0;
        assert_eq!(rules.len(), 2);
        assert_eq!((rules[0].line, rules[0].range), (2, [0.8, 1.2]));
        assert_eq!((rules[1].name.as_str(), rules[1].operation), ("qvel", Operation::Add));
    }

    #[test]
    fn what_is_wrong_with_a_line_is_said_with_its_place() {
        for (line, part) in [
            ("body_mass scale 1", "a line is"),
            ("body_mass times 1 2", "`times` is none of"),
            ("body_mass scale 1 inf", "`inf` is no finite number"),
            ("body_mass scale 2 1", "empty"),
        ] {
            let error = Randomization::parse(&format!("\n{line}"), "file").unwrap_err().to_string();
            assert!(error.starts_with("file:2: ") && error.contains(part), "{error}");
        }
    }
}
