//! Networks: topology generators, graph metrics, routings.
