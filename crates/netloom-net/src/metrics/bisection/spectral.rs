//! The second smallest eigenvalue of the Laplacian by restarted Lanczos with full reorthogonalisation.

use netloom_model::{Network, Progress, Stream};

/// An approximate eigenpair and its guarantee.
pub struct Fiedler {
    /// Rayleigh quotient, never below λ₂.
    pub value: f64,
    /// Norm of `L x - value x` for the unit vector `x`: some eigenvalue is this near to `value`.
    pub residual: f64,
    /// `value - residual`, at least 0.
    pub lower: f64,
    pub vector: Vec<f64>,
}

/// Basis vectors per restart.
const BASIS: usize = 48;
const RESTARTS: usize = 24;
/// Relative residual at which the bound gains nothing from going on.
const ENOUGH: f64 = 1e-7;

/// O(restarts · basis · (links + basis · switches)).
pub fn fiedler(network: &Network, stream: &mut Stream, progress: &Progress) -> Fiedler {
    let n = network.switches() as usize;
    let mut start: Vec<f64> = (0..n).map(|_| stream.unit() - 0.5).collect();
    let mut best = Fiedler { value: 0.0, residual: f64::INFINITY, lower: 0.0, vector: start.clone() };
    for _ in 0..RESTARTS {
        if progress.stopped() || !normalise(&mut start) {
            break;
        }
        let vector = lanczos(network, &start);
        let image = laplacian(network, &vector);
        let value = dot(&vector, &image);
        let residual = image.iter().zip(&vector).map(|(i, x)| (i - value * x).powi(2)).sum::<f64>().sqrt();
        // The rounding of n products is far below this.
        let lower = (value - residual - 1e-12 * n as f64).max(0.0);
        start.clone_from(&vector);
        best = Fiedler { value, residual, lower, vector };
        if residual <= ENOUGH * value {
            break;
        }
    }
    best
}

/// The Ritz vector of the smallest Ritz value over the Krylov space of `start`, orthogonal to the constant vector.
fn lanczos(network: &Network, start: &[f64]) -> Vec<f64> {
    let mut basis = vec![start.to_vec()];
    let (mut diagonal, mut beside) = (Vec::new(), Vec::new());
    loop {
        let last = &basis[basis.len() - 1];
        let mut image = laplacian(network, last);
        diagonal.push(dot(last, &image));
        if basis.len() == BASIS.min(start.len().saturating_sub(1)) {
            break;
        }
        let scale = dot(&image, &image).sqrt();
        // Twice is enough (Kahan, Parlett).
        for _ in 0..2 {
            remove_mean(&mut image);
            for vector in &basis {
                let along = dot(vector, &image);
                image.iter_mut().zip(vector).for_each(|(i, x)| *i -= along * x);
            }
        }
        let norm = dot(&image, &image).sqrt();
        if norm <= 1e-10 * scale.max(1.0) {
            break;
        }
        image.iter_mut().for_each(|i| *i /= norm);
        beside.push(norm);
        basis.push(image);
    }
    let weights = smallest_eigenvector(&diagonal, &beside);
    let mut vector = vec![0.0; start.len()];
    for (weight, basis) in weights.iter().zip(&basis) {
        vector.iter_mut().zip(basis).for_each(|(v, b)| *v += weight * b);
    }
    normalise(&mut vector);
    vector
}

/// An eigenvector of the symmetric tridiagonal matrix with these entries: bisection by Sturm counts, then inverse iteration from just
/// below the eigenvalue, where the shifted matrix is positive definite and elimination needs no pivots.
fn smallest_eigenvector(diagonal: &[f64], beside: &[f64]) -> Vec<f64> {
    let m = diagonal.len();
    let reach = diagonal.iter().chain(beside).fold(1.0f64, |a, b| a.max(b.abs()));
    let (mut low, mut high) = (-3.0 * reach, 3.0 * reach);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if pivots(diagonal, beside, middle).iter().all(|p| *p > 0.0) {
            low = middle;
        } else {
            high = middle;
        }
        if high - low <= 1e-14 * reach {
            break;
        }
    }
    let pivots = pivots(diagonal, beside, low - 1e-14 * reach);
    let mut x = vec![1.0; m];
    for _ in 0..4 {
        for i in 1..m {
            x[i] -= beside[i - 1] / pivots[i - 1] * x[i - 1];
        }
        for i in (0..m).rev() {
            let from_right = if i + 1 < m { beside[i] * x[i + 1] } else { 0.0 };
            x[i] = (x[i] - from_right) / pivots[i];
        }
        let norm = dot(&x, &x).sqrt();
        x.iter_mut().for_each(|x| *x /= norm);
    }
    x
}

/// Pivots of the elimination of the matrix less `shift`; all positive exactly if `shift` is below every eigenvalue.
fn pivots(diagonal: &[f64], beside: &[f64], shift: f64) -> Vec<f64> {
    let mut pivots: Vec<f64> = Vec::with_capacity(diagonal.len());
    for (i, d) in diagonal.iter().enumerate() {
        let less = if i == 0 { 0.0 } else { beside[i - 1] * beside[i - 1] / pivots[i - 1] };
        let pivot = d - shift - less;
        pivots.push(if pivot == 0.0 { -f64::MIN_POSITIVE } else { pivot });
    }
    pivots
}

/// `L x`, parallel cables counted each.
fn laplacian(network: &Network, x: &[f64]) -> Vec<f64> {
    (0..network.switches())
        .map(|v| {
            let neighbours = network.neighbours(v);
            neighbours.len() as f64 * x[v as usize] - neighbours.iter().map(|u| x[*u as usize]).sum::<f64>()
        })
        .collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn remove_mean(x: &mut [f64]) {
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    x.iter_mut().for_each(|v| *v -= mean);
}

/// Orthogonal to the constant vector and of length 1; false if nothing is left.
fn normalise(x: &mut [f64]) -> bool {
    remove_mean(x);
    let norm = dot(x, x).sqrt();
    if norm < 1e-300 {
        return false;
    }
    x.iter_mut().for_each(|v| *v /= norm);
    true
}
