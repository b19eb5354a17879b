//! The numbers by which a trace names MPI's datatypes.

/// Size in bytes of datatype `number`; None for one that the trace does not hold: a derived type (-1), and numbers
/// that SMPI does not write.
///
/// Recorded one by one with SimGrid 3.32 (Debian 12, x86-64), each with its MPI_Type_size. 51 to 54 and 58 could not
/// be recorded there: its header does not declare the C++ complex types and pointers.
pub fn size_of(number: i64) -> Option<u64> {
    const SIZES: [u8; 51] = [
        8, 4, 1, 2, 8, 4, 1, 8, 1, 1, // double int char short long float byte long-long signed-char unsigned-char
        2, 4, 8, 8, 16, 4, 1, // unsigned-short unsigned unsigned-long unsigned-long-long long-double wchar c-bool
        1, 2, 4, 8, 1, 2, 4, 8, // int8..int64 uint8..uint64
        8, 16, 32, 8, 8, // float, double, long-double complex; aint offset
        8, 16, 16, 8, 8, 8, 16, 16, // float-int long-int double-int short-int 2int 2float 2double 2long
        4, 4, 8, 16, 8, 16, 16, // real real4 real8 real16 complex8 complex16 complex32
        4, 2, 4, 8, 16, // integer1 (4 bytes there) integer2 integer4 integer8 integer16
        32, // long-double-int
    ];
    match number {
        0..=50 => SIZES.get(number as usize).map(|&size| u64::from(size)),
        55 | 56 => Some(0), // upper and lower bound
        57 => Some(1),      // packed
        59 => Some(8),      // count
        _ => None,
    }
}

/// MPI_BYTE, used for everything written.
pub const BYTE: u32 = 6;
