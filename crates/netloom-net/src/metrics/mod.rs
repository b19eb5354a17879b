//! Graph metrics: distances, diameter, average shortest path length, bisection.
