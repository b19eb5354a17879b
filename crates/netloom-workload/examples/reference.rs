//! Prints the reference page of collectives and patterns.

fn main() -> Result<(), netloom_model::Faults> {
    print!("{}", netloom_workload::reference_page()?);
    Ok(())
}
