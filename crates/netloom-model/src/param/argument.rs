//! One argument of a call replaced.

use super::Param;
use crate::call::{Call, Value};

impl Call {
    /// The same call with another value of one parameter: in its place if it stands by position, else by name. Whether
    /// the parameter exists and takes the value is checked where the call is bound.
    ///
    /// ```
    /// use netloom_model::{Call, Kind, Param, Value};
    /// let table = [Param::required("a", Kind::Int { min: 1, max: 9 }, ""), Param::optional("p", Kind::Bool, "true", "")];
    /// let call = Call::parse("dragonfly(4, p=2)")?;
    /// assert_eq!(call.with(&table, "a", Value::Int(8)).to_string(), "dragonfly(8,p=2)");
    /// assert_eq!(call.with(&table, "h", Value::Int(1)).to_string(), "dragonfly(4,p=2,h=1)");
    /// # Ok::<(), netloom_model::Faults>(())
    /// ```
    #[must_use]
    pub fn with(&self, params: &[Param], name: &str, value: Value) -> Call {
        let mut made = self.clone();
        let same = |other: &str| other.replace('-', "_") == name.replace('-', "_");
        let mut by_position = params.iter().filter(|param| !param.keyword_only);
        let at = by_position.position(|param| same(param.name)).filter(|_| params.iter().all(|param| !param.variadic));
        if let Some(slot) = at.and_then(|at| made.positional.get_mut(at)) {
            *slot = value;
        } else if let Some((_, slot)) = made.keyword.iter_mut().find(|(key, _)| same(key)) {
            *slot = value;
        } else {
            made.keyword.push((name.to_string(), value));
        }
        made
    }
}
