//! Records: a struct whose fields are also named values with units and meanings, from one list.

/// The name of a value or a column, its unit ("" for none) and its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: &'static str,
    pub unit: &'static str,
    pub help: &'static str,
}

impl Field {
    pub const fn new(name: &'static str, unit: &'static str, help: &'static str) -> Field {
        Field { name, unit, help }
    }
}

/// One value of a record.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// Unknown to the model: never written as 0.
    Unknown,
    Count(u128),
    Number(f64),
    Text(String),
}

impl From<u32> for Datum {
    fn from(count: u32) -> Self {
        Datum::Count(count.into())
    }
}
impl From<u64> for Datum {
    fn from(count: u64) -> Self {
        Datum::Count(count.into())
    }
}
impl From<u128> for Datum {
    fn from(count: u128) -> Self {
        Datum::Count(count)
    }
}
impl From<f64> for Datum {
    fn from(number: f64) -> Self {
        Datum::Number(number)
    }
}
impl From<&str> for Datum {
    fn from(text: &str) -> Self {
        Datum::Text(text.into())
    }
}
impl<T: Into<Datum>> From<Option<T>> for Datum {
    fn from(value: Option<T>) -> Self {
        value.map_or(Datum::Unknown, Into::into)
    }
}

/// A struct that [`record!`](crate::record) or [`records!`](crate::records) made.
pub trait Record {
    /// The fields of the struct, in its order.
    const FIELDS: &'static [Field];

    /// One value per field, in the same order.
    fn values(self) -> Vec<Datum>;
}

/// Several lists as one. `N` is the sum of their lengths; `fill` is a value of any kind, of which nothing stays.
pub const fn join<T: Copy, const N: usize>(fill: T, lists: &[&[T]]) -> [T; N] {
    let mut all = [fill; N];
    let (mut list, mut at, mut to) = (0, 0, 0);
    while to < N {
        if at < lists[list].len() {
            all[to] = lists[list][at];
            at += 1;
            to += 1;
        } else {
            list += 1;
            at = 0;
        }
    }
    all
}

/// A struct and its [`Record`] from one list: each line is a field with its type, unit and meaning.
///
/// ```
/// use netloom_model::{Datum, Record};
///
/// netloom_model::record! {
///     /// What a toy counts.
///     pub struct Counted {
///         messages: u64, "", "messages sent";
///         time_s: Option<f64>, "s", "time that they took";
///     }
/// }
/// assert_eq!(Counted::FIELDS[1].unit, "s");
/// let counted = Counted { messages: 3, time_s: None };
/// assert_eq!(counted.values(), [Datum::Count(3), Datum::Unknown]);
/// ```
#[macro_export]
macro_rules! record {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($field:ident: $kind:ty, $unit:literal, $help:literal;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default)]
        $vis struct $name { $(#[doc = $help] pub $field: $kind,)* }

        impl $crate::Record for $name {
            const FIELDS: &'static [$crate::Field] = &[$($crate::Field::new(stringify!($field), $unit, $help)),*];

            fn values(self) -> Vec<$crate::Datum> {
                vec![$(self.$field.into()),*]
            }
        }
    };
}

/// A record made of records: it has the fields of all of them, in their order.
#[macro_export]
macro_rules! records {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($part:ident: $kind:ty),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        $vis struct $name { $(pub $part: $kind,)* }

        impl $crate::Record for $name {
            const FIELDS: &'static [$crate::Field] = &$crate::answer::join::<_, {
                0 $(+ <$kind as $crate::Record>::FIELDS.len())*
            }>($crate::Field::new("", "", ""), &[$(<$kind as $crate::Record>::FIELDS),*]);

            fn values(self) -> Vec<$crate::Datum> {
                let mut all = Vec::new();
                $(all.extend($crate::Record::values(self.$part));)*
                all
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::record! {
        struct Sent {
            messages: u64, "", "sent";
            bytes: u128, "B", "of these";
        }
    }
    crate::record! {
        struct Timed {
            time_s: Option<f64>, "s", "until the last arrival";
        }
    }
    crate::records! {
        struct Both { sent: Sent, timed: Timed }
    }

    #[test]
    fn a_record_of_records_has_the_fields_and_values_of_all() {
        let names: Vec<&str> = Both::FIELDS.iter().map(|field| field.name).collect();
        assert_eq!(names, ["messages", "bytes", "time_s"]);
        let both = Both { sent: Sent { messages: 2, bytes: 8 }, timed: Timed { time_s: Some(0.5) } };
        assert_eq!(both.values(), [Datum::Count(2), Datum::Count(8), Datum::Number(0.5)]);
    }
}
