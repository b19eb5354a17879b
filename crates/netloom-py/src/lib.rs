//! Thin binding.
