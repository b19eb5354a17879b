//! Protocol buffers: fields of numbers and of bytes, one after another.

/// Most bytes of a message.
const LONGEST: u64 = 1 << 24;

/// Bytes that are read from the front.
pub struct WireBytes<'a> {
    pub rest: &'a [u8],
}

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WireValue<'a> {
    Number(u64),
    /// Of 64 or 32 bits.
    Fixed(u64),
    Bytes(&'a [u8]),
}

impl<'a> WireBytes<'a> {
    pub fn new(rest: &'a [u8]) -> WireBytes<'a> {
        WireBytes { rest }
    }

    /// A number of at most ten bytes, the lowest seven bits first.
    pub fn varint(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for place in 0..10 {
            let (&byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            value |= u64::from(byte & 0x7f).checked_shl(7 * place)?;
            if byte < 0x80 {
                return (place < 9 || byte < 2).then_some(value);
            }
        }
        None
    }

    fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(bytes)?;
        self.rest = rest;
        Some(taken)
    }

    /// As many bytes as a number before them says.
    pub fn delimited(&mut self) -> Option<&'a [u8]> {
        let length = self.varint().filter(|length| *length <= LONGEST)?;
        self.take(length as usize)
    }

    fn field(&mut self) -> Option<(u64, WireValue<'a>)> {
        let key = self.varint()?;
        let value = match key & 7 {
            0 => WireValue::Number(self.varint()?),
            1 => WireValue::Fixed(u64::from_le_bytes(*self.take(8)?.first_chunk()?)),
            2 => WireValue::Bytes(self.delimited()?),
            5 => WireValue::Fixed(u32::from_le_bytes(*self.take(4)?.first_chunk()?).into()),
            _ => return None,
        };
        (key >> 3 > 0).then_some((key >> 3, value))
    }
}

/// The fields of a message; `None` once where it is broken.
pub struct MessageFields<'a> {
    wire: WireBytes<'a>,
    broken: bool,
}

impl<'a> MessageFields<'a> {
    pub fn new(message: &'a [u8]) -> MessageFields<'a> {
        MessageFields { wire: WireBytes::new(message), broken: false }
    }
}

impl<'a> Iterator for MessageFields<'a> {
    type Item = Option<(u64, WireValue<'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.broken || self.wire.rest.is_empty() {
            return None;
        }
        let field = self.wire.field();
        self.broken = field.is_none();
        Some(field)
    }
}

/// A message that is written.
#[derive(Default)]
pub struct Message(pub Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    pub fn number(&mut self, field: u64, value: u64) {
        self.varint(field << 3);
        self.varint(value);
    }

    pub fn bytes(&mut self, field: u64, value: &[u8]) {
        self.varint(field << 3 | 2);
        self.delimited(value);
    }

    /// Numbers of one field together.
    pub fn packed(&mut self, field: u64, values: &[u64]) {
        if !values.is_empty() {
            let mut list = Message::default();
            values.iter().for_each(|value| list.varint(*value));
            self.bytes(field, &list.0);
        }
    }

    /// Bytes behind their number.
    pub fn delimited(&mut self, value: &[u8]) {
        self.varint(value.len() as u64);
        self.0.extend(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for value in [0, 1, 127, 128, 300, 1 << 35, u64::MAX] {
            let mut made = Message::default();
            made.varint(value);
            assert_eq!(WireBytes::new(&made.0).varint(), Some(value));
            assert_eq!(WireBytes::new(&made.0[..made.0.len() - 1]).varint(), None);
        }
        assert_eq!(WireBytes::new(&[0xff; 10]).varint(), None);
        assert_eq!(WireBytes::new(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02]).varint(), None);
    }
}
