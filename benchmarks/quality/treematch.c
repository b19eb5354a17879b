/* TreeMatch as a program: ranks and a tree as arguments, pairs with their bytes on stdin, the leaf of every rank on stdout.
 *
 * The library stands in Open MPI's sources (3rd-party/treematch); in a copy of that folder, with an empty config.h and an
 * ompi_config.h that has the line "#define OMPI_HIDDEN":
 *   gcc -O2 -I. -o treematch treematch.c tm_*.c k-partitioning.c fibo.c PriorityQueue.c \
 *       IntConstantInitializedVector.c -lhwloc -lpthread -lm
 * treematch RANKS CHILDREN COST CHILDREN COST ... < pairs
 */
#include <stdio.h>
#include <stdlib.h>

#include "treematch.h"

int main(int argc, char **argv) {
    int ranks = atoi(argv[1]), levels = (argc - 2) / 2, core = 0, a, b;
    int *arity = calloc(levels + 1, sizeof *arity);
    double *cost = calloc(levels + 1, sizeof *cost), bytes;
    for (int i = 0; i < levels; i++) {
        arity[i] = atoi(argv[2 + 2 * i]);
        cost[i] = atof(argv[3 + 2 * i]);
    }
    tm_set_verbose_level(0);
    tm_topology_t *machine = tm_build_synthetic_topology(arity, cost, levels + 1, &core, 1);
    tm_optimize_topology(&machine);
    double **pairs = malloc(ranks * sizeof *pairs);
    for (int i = 0; i < ranks; i++) pairs[i] = calloc(ranks, sizeof **pairs);
    while (scanf("%d %d %lf", &a, &b, &bytes) == 3) {
        pairs[a][b] += bytes;
        pairs[b][a] += bytes;
    }
    tm_tree_t *tree = tm_build_tree_from_topology(machine, tm_build_affinity_mat(pairs, ranks), NULL, NULL);
    tm_solution_t *found = tm_compute_mapping(machine, tree);
    for (size_t i = 0; i < found->sigma_length; i++) printf("%d\n", found->sigma[i]);
    return 0;
}
