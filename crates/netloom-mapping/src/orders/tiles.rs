//! Boxes of ranks onto boxes of places: the ranks of a grid, tile by tile, onto the places of a grid, tile by tile.
//!
//! A tile of ranks is mapped onto the tile of places with the same number; both have equally many elements and any shapes,
//! so that ranks of a plane come together in a cube (Jain 2016 §3.1, after Bhatele et al. 2012).

use netloom_model::fault::codes::BAD_VALUE;
use netloom_model::{Bound, Fault, Kind, Network, Outcome, Param};

use crate::row::OrderRow;

const EXTENTS: Kind = Kind::Ints { min: 1, max: 1 << 26, least: 1, most: usize::MAX };

pub const ROW: OrderRow = OrderRow {
    name: "tiles",
    aliases: &["boxes"],
    summary: "Tiles of a grid of ranks onto tiles of the grid of places, in order, whatever their shapes.",
    params: &[
        Param::required("ranks", EXTENTS, "extents of the grid of ranks, the last one counts fastest"),
        Param::required("tile", EXTENTS, "extents of a tile of ranks"),
        Param::required(
            "places",
            EXTENTS,
            "extents of the grid of places, such as those of a torus and the cores of an endpoint",
        ),
        Param::required("onto", EXTENTS, "extents of a tile of places"),
    ],
    example: "tiles([2,4],[1,4],[2,2,2],[2,2,1])",
    restrictions: "grids of as many elements as there are ranks; tiles divide them and have equally many elements",
    source: "Jain 2016 §3.1, figure 3.4; Bhatele et al. 2012 (Rubik)",
    build,
};

/// O(ranks × dimensions).
fn build(_network: &Network, placed: &[u32], args: &Bound) -> Outcome<Vec<u32>> {
    let ranks = tiled(args, "ranks", "tile", placed.len())?;
    let places = tiled(args, "places", "onto", placed.len())?;
    let size = |name: &str| args.ints(name).iter().product::<i64>();
    if size("tile") != size("onto") {
        let expected = format!("extents with the product {}, the size of a tile of ranks", size("tile"));
        return Err(Fault::new(&BAD_VALUE, "tiles.onto", expected, join(&args.ints("onto"))).into());
    }
    let mut of_rank = placed.to_vec();
    for (rank, place) in ranks.into_iter().zip(places) {
        of_rank[rank] = placed[place];
    }
    Ok(of_rank)
}

/// The elements of a grid, tile after tile, each in row-major order.
fn tiled(args: &Bound, grid: &str, tile: &str, count: usize) -> Outcome<Vec<usize>> {
    let (extents, sizes) = (args.ints(grid), args.ints(tile));
    let product = extents.iter().try_fold(1i64, |n, extent| n.checked_mul(*extent));
    if product != i64::try_from(count).ok() {
        let expected = format!("extents with the product {count}, one element for each rank");
        return Err(Fault::new(&BAD_VALUE, format!("tiles.{grid}"), expected, join(&extents)).into());
    }
    if extents.len() != sizes.len() || extents.iter().zip(&sizes).any(|(extent, size)| extent % size != 0) {
        let expected = format!("{} extents that divide {}", extents.len(), join(&extents));
        return Err(Fault::new(&BAD_VALUE, format!("tiles.{tile}"), expected, join(&sizes)).into());
    }
    // Digits, slowest first: the tile along every axis, then the element in it along every axis.
    let mut stride = count;
    let mut digits = Vec::new();
    for (extent, size) in extents.iter().zip(&sizes) {
        stride /= *extent as usize;
        digits.push((*extent / *size, stride * *size as usize, *size, stride));
    }
    let outer = digits.iter().map(|d| (d.0, d.1));
    let inner = digits.iter().map(|d| (d.2, d.3));
    let mut found = vec![0];
    for (extent, step) in outer.chain(inner) {
        found = found.iter().flat_map(|at| (0..extent as usize).map(move |digit| at + digit * step)).collect();
    }
    Ok(found)
}

fn join(extents: &[i64]) -> String {
    extents.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}
