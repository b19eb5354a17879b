//! Arguments bound to their table.

use super::rows::{self, SizeRow};
use super::{Param, signature};
use crate::call::{Call, Value};
use crate::fault::{Fault, Faults, Outcome, codes, nearest};

/// Arguments that have passed every check of their table, in the table's order.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Name of the thing the arguments belong to.
    pub owner: String,
    values: Vec<(&'static str, Option<Value>)>,
}

impl Bound {
    /// Binds `call`'s arguments to `params`: position, then name, then default.
    ///
    /// # Errors
    /// All of: unknown, missing, doubled or surplus parameters (`NL-A003`..`NL-A006`), wrong type or range (`NL-A007`,
    /// `NL-A008`).
    pub fn bind(params: &[Param], call: &Call) -> Outcome<Bound> {
        let mut faults = Faults::none();
        let mut given: Vec<Option<Value>> = vec![None; params.len()];
        let mut surplus = 0;
        let positions: Vec<usize> = (0..params.len()).filter(|&i| !params[i].keyword_only).collect();
        let mut next = 0;
        for value in &call.positional {
            match positions.get(next) {
                Some(&i) if params[i].variadic => match (&mut given[i], value) {
                    (slot @ None, Value::List(items)) => *slot = Some(Value::List(items.clone())),
                    (slot @ None, _) => *slot = Some(Value::List(vec![value.clone()])),
                    (Some(Value::List(items)), _) => items.push(value.clone()),
                    _ => {}
                },
                Some(&i) => {
                    given[i] = Some(value.clone());
                    next += 1;
                }
                None => surplus += 1,
            }
        }
        let owner = call.name.clone();
        if surplus > 0 {
            let sentence = format!("takes at most {} values by position, got {surplus} more", positions.len());
            faults.push(Fault::say(&codes::TOO_MANY, &owner, sentence).hint(signature(&owner, params)));
        }
        for (key, value) in &call.keyword {
            let key_name = key.replace('-', "_");
            match params.iter().position(|p| p.name == key_name) {
                Some(i) if given[i].is_some() => {
                    faults.push(Fault::say(&codes::TWICE, format!("{owner}.{key}"), "is given twice"));
                }
                Some(i) => given[i] = Some(value.clone()),
                None => {
                    let hint = match nearest(key, params.iter().map(|p| p.name)) {
                        Some(near) => format!("did you mean \"{near}\"?"),
                        None => signature(&owner, params),
                    };
                    let sentence = format!("has no parameter \"{key}\"");
                    faults.push(Fault::say(&codes::UNKNOWN_PARAMETER, &owner, sentence).hint(hint));
                }
            }
        }
        let mut values = Vec::with_capacity(params.len());
        for (param, value) in params.iter().zip(given) {
            let place = format!("{owner}.{}", param.name);
            let value = match (value, param.default) {
                (Some(value), _) => match param.kind.accept(&value) {
                    Some(accepted) => Some(accepted),
                    None => {
                        faults.push(param.kind.fault(place, &value));
                        None
                    }
                },
                (None, Some("")) => None,
                (None, Some(default)) => Self::default_value(param, default),
                (None, None) => {
                    let sentence = format!("is missing; it must be {}", param.kind.expected());
                    faults.push(Fault::say(&codes::MISSING_PARAMETER, place, sentence).hint(signature(&owner, params)));
                    None
                }
            };
            values.push((param.name, value));
        }
        faults.or(Bound { owner, values })
    }

    /// Every parameter's default, for code that has no call. Those without one are absent.
    pub fn defaults(owner: &str, params: &[Param]) -> Bound {
        let default = |p: &Param| p.default.filter(|d| !d.is_empty()).and_then(|d| Self::default_value(p, d));
        Bound { owner: owner.into(), values: params.iter().map(|p| (p.name, default(p))).collect() }
    }

    /// Reads a default through the same grammar as user input.
    fn default_value(param: &Param, default: &str) -> Option<Value> {
        let call = Call::parse(&format!("x({default})")).ok()?;
        let value = if call.positional.len() > 1 {
            Value::List(call.positional)
        } else {
            call.positional.into_iter().next()?
        };
        param.kind.accept(&value)
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|v| v.0 == name).and_then(|v| v.1.as_ref())
    }
    /// The integer `name`; 0 if the table has no such integer (a mistake in the table that its contract test finds).
    pub fn int(&self, name: &str) -> i64 {
        self.int_or_none(name).unwrap_or(0)
    }
    pub fn int_or_none(&self, name: &str) -> Option<i64> {
        match self.get(name) {
            Some(Value::Int(v)) => Some(*v),
            _ => None,
        }
    }
    /// The integer as `u32`; tables that index switches bound it at 2^31 or less.
    pub fn size(&self, name: &str) -> u32 {
        u32::try_from(self.int(name)).unwrap_or(0)
    }
    pub fn float(&self, name: &str) -> f64 {
        match self.get(name) {
            Some(Value::Float(v)) => *v,
            Some(Value::Int(v)) => *v as f64,
            _ => 0.0,
        }
    }
    pub fn bool(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Value::Bool(true)))
    }
    /// The text, or "" if absent.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Some(Value::Text(v)) => v,
            _ => "",
        }
    }
    /// The integers; empty if absent or given as a word.
    pub fn ints(&self, name: &str) -> Vec<i64> {
        match self.get(name) {
            Some(Value::List(items)) => {
                items.iter().filter_map(|v| if let Value::Int(i) = v { Some(*i) } else { None }).collect()
            }
            _ => Vec::new(),
        }
    }
    /// Integers of a [`super::Kind::Counts`], one or several; empty if absent.
    pub fn counts(&self, name: &str) -> Vec<u32> {
        let of = |value: &Value| if let Value::Int(i) = value { u32::try_from(*i).ok() } else { None };
        match self.get(name) {
            Some(Value::List(items)) => items.iter().filter_map(of).collect(),
            Some(value) => of(value).into_iter().collect(),
            None => Vec::new(),
        }
    }
    /// The rows of a [`super::Kind::Rows`]; empty if absent.
    pub fn rows(&self, name: &str) -> Vec<SizeRow> {
        self.get(name).map_or_else(Vec::new, rows::accepted)
    }
    pub fn bools(&self, name: &str) -> Vec<bool> {
        match self.get(name) {
            Some(Value::List(items)) => items.iter().map(|v| matches!(v, Value::Bool(true))).collect(),
            _ => Vec::new(),
        }
    }
    pub fn is_given(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The call in full, every parameter by name: the form that provenance records.
    pub fn canonical(&self) -> Call {
        let keyword = self.values.iter().filter_map(|(k, v)| v.clone().map(|v| ((*k).to_string(), v))).collect();
        Call { name: self.owner.clone(), positional: Vec::new(), keyword }
    }

    /// A fault about parameter `name`, for rules about several parameters.
    pub fn fault(&self, name: &str, expected: impl Into<String>) -> Fault {
        let got = self.get(name).map_or("nothing".into(), Value::to_string);
        Fault::new(&codes::BAD_VALUE, format!("{}.{name}", self.owner), expected, got)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::Kind;
    use crate::units::Quantity;

    const TABLE: &[Param] = &[
        Param::required(
            "dims",
            Kind::Ints { min: 1, max: 1 << 20, least: 1, most: usize::MAX },
            "extent of each dimension",
        )
        .variadic(),
        Param::optional("wrap", Kind::Bools, "true", "").keyword_only(),
        Param::optional("bandwidth", Kind::Quantity(Quantity::BytesPerSecond), "\"100 Gbps\"", "").keyword_only(),
        Param::optional("mode", Kind::Choice(&["absolute", "relative"]), "absolute", "").keyword_only(),
        Param::optional("seed", Kind::Int { min: 0, max: i64::MAX }, "", "").keyword_only(),
    ];

    fn bind(text: &str) -> Outcome<Bound> {
        Bound::bind(TABLE, &Call::parse(text).unwrap())
    }

    #[test]
    fn position_name_and_default() {
        let bound = bind("torus(8,8,4,wrap=false)").unwrap();
        assert_eq!(bound.ints("dims"), [8, 8, 4]);
        assert_eq!(bound.bools("wrap"), [false]);
        assert_eq!(bound.float("bandwidth"), 12.5e9);
        assert_eq!(bound.text("mode"), "absolute");
        assert!(!bound.is_given("seed"));
        assert!(bind("torus(2,bandwidth=1e300)").is_err() && bind("torus(2,bandwidth=-1.0)").is_err());
        assert_eq!(bind("torus([2,3])").unwrap().ints("dims"), [2, 3]);
        assert_eq!(bind("torus(dims=[2,3])").unwrap().ints("dims"), [2, 3]);
    }

    #[test]
    fn all_faults_at_once() {
        let faults = bind("torus(0, mood=1, mode=absolut, seed=-1)").unwrap_err();
        let codes: Vec<_> = faults.0.iter().map(|f| f.code).collect();
        assert_eq!(codes, ["NL-A003", "NL-A007", "NL-A007", "NL-A007"]);
        assert!(faults.to_string().contains("did you mean \"absolute\"?"));
        for bad in
            ["torus()", "torus(1.5)", "torus(a)", "torus(None)", "torus(99999999999999999999)", "torus(2,dims=3)"]
        {
            assert!(bind(bad).is_err(), "{bad}");
        }
    }
}
