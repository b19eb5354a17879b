"""Placements of several ranks per endpoint, as the host files of MPI launchers list them. Slot s is core s mod `cores`
of endpoint s div `cores`, as in a study's evaluation `time` with an axis `cores`."""

import random

from netloom import plugin


class Cyclic(plugin.Placement):
    "Rank r on endpoint r mod endpoints: one rank per endpoint in turn."

    name = "cyclic"
    slots = True
    example = "cyclic(cores=1)"

    def place(self, network, ranks, cores=1):
        return [slot for core in range(cores) for slot in range(core, network.endpoints, cores)][:ranks]


class Shuffled(plugin.Placement):
    "Endpoints in a random order, the ranks of one endpoint consecutive."

    name = "shuffled"
    slots = True
    example = "shuffled(cores=1,seed=1)"

    def place(self, network, ranks, cores=1, seed=1):
        hosts = list(range(network.endpoints // cores))
        random.Random(seed).shuffle(hosts)
        return [host * cores + core for host in hosts for core in range(cores)][:ranks]
