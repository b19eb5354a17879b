//! What all switch models have in common.

mod detour_tests;
mod property_tests;
mod scheme_tests;
