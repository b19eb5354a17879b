//! Cores of a hierarchy numbered level by level in any order (Swartvagher 2023).

use netloom_model::fault::codes::BAD_VALUE;
use netloom_model::{Bound, Fault, Kind, Levels, Network, Outcome, Param};

use crate::row::OrderRow;

pub const ROW: OrderRow = OrderRow {
    name: "mixed-radix",
    aliases: &["level-order"],
    summary: "The places, as a hierarchy of equal units, numbered level by level: the first level of the list counts fastest.",
    params: &[
        Param::required(
            "order",
            Kind::Ints { min: 0, max: 31, least: 1, most: usize::MAX },
            "levels, 0 the outermost, in the order in which they count",
        )
        .variadic(),
        Param::required(
            "levels",
            Kind::Ints { min: 2, max: 1 << 26, least: 1, most: usize::MAX },
            "sizes of the levels, outermost first; their product is the number of ranks",
        )
        .keyword_only(),
    ],
    example: "mixed-radix(0,1,levels=[2,4])",
    restrictions: "the sizes multiply to the number of ranks",
    source: "Swartvagher 2023, algorithms 1 and 2",
    build,
};

/// O(ranks).
fn build(_network: &Network, placed: &[u32], args: &Bound) -> Outcome<Vec<u32>> {
    let levels = Levels::new(&args.ints("levels"), "mixed-radix.levels")?;
    let order = levels.order(&args.ints("order"), "mixed-radix.order")?;
    if levels.count() as usize != placed.len() {
        let expected = format!("sizes with the product {}, one for each rank", placed.len());
        let got = format!("{}, whose product is {}", join(levels.sizes()), levels.count());
        let hint = "for ranks on some of the cores: `netloom enumerate LEVELS --cores N --order ORDER --mapping FILE`";
        return Err(Fault::new(&BAD_VALUE, "mixed-radix.levels", expected, got).hint(hint).into());
    }
    Ok(levels.old_of_new(&order).into_iter().map(|old| placed[old as usize]).collect())
}

fn join(sizes: &[u32]) -> String {
    sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}
