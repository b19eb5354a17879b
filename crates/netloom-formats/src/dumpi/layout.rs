//! The functions that DUMPI records, and how their arguments lie in its files.

use std::collections::HashMap;

const FUNCTIONS: &str = include_str!("functions.txt");

/// What an argument is, and how it lies in a binary file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Byte,
    Short,
    Int,
    Long,
    Bytes,
    Shorts,
    Ints,
    Rows,
    Statuses,
    Text,
    Texts,
    /// The arguments of the program; `true` where early versions wrote their number twice.
    Arguments(bool),
    /// A list of which versions before 0.6.`n` wrote the first number alone.
    SinceMinor(u8),
}

/// An argument; without a name where nothing asks for it.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    pub name: &'static str,
    pub shape: Shape,
    pub at_root: bool,
}

/// A function; `arguments` are none where they cannot be read.
#[derive(Debug)]
pub struct Function {
    /// Without `MPI_`.
    pub name: &'static str,
    pub arguments: Option<Vec<Argument>>,
}

/// All functions.
pub struct Functions {
    all: Vec<Function>,
    by_name: HashMap<&'static str, usize>,
}

impl Functions {
    pub fn new() -> Functions {
        let lines = FUNCTIONS.lines().filter(|line| !line.starts_with('#'));
        let all: Vec<Function> = lines.filter_map(function).collect();
        let by_name = all.iter().enumerate().map(|(at, one)| (one.name, at)).collect();
        Functions { all, by_name }
    }

    pub fn numbered(&self, number: u16) -> Option<&Function> {
        self.all.get(usize::from(number))
    }

    /// Without `MPI_`.
    pub fn named(&self, name: &str) -> Option<&Function> {
        self.by_name.get(name).map(|at| &self.all[*at])
    }
}

fn function(line: &'static str) -> Option<Function> {
    let mut words = line.split_whitespace();
    let name = words.next()?;
    let arguments = if line.ends_with(" -") { None } else { Some(words.filter_map(argument).collect()) };
    Some(Function { name, arguments })
}

fn argument(word: &'static str) -> Option<Argument> {
    let (name, shape) = word.split_once(':').unwrap_or(("", word));
    let (at_root, letter) = match shape.strip_prefix('?') {
        Some(letter) => (true, letter),
        None => (false, shape),
    };
    let shape = match letter {
        "b" => Shape::Byte,
        "h" => Shape::Short,
        "i" => Shape::Int,
        "l" => Shape::Long,
        "B" => Shape::Bytes,
        "H" => Shape::Shorts,
        "I" => Shape::Ints,
        "L" => Shape::Rows,
        "s" => Shape::Statuses,
        "z" => Shape::Text,
        "Z" => Shape::Texts,
        "a" => Shape::Arguments(false),
        "A" => Shape::Arguments(true),
        "J" => Shape::SinceMinor(9),
        "K" => Shape::SinceMinor(8),
        _ => return None,
    };
    Some(Argument { name, shape, at_root })
}
