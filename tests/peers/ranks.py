"""The same over mpi4py: each line is the process as the launcher counts, and its rank."""

from __future__ import annotations

import os
import sys
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
heard = array("i", [0] * 5)
world.Sendrecv(array("i", [rank] * 5), (rank + 1) % size, 3, heard, (rank - 1) % size, 3)
half = world.Split(rank // (size // 2), 0)
total = array("i", [0])
half.Allreduce(array("i", [rank]), total)
joined = total[0]
number = os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("PMI_RANK"))
well = heard.tolist() == [(rank - 1) % size] * 5 and world.Dup().rank == rank
sys.stdout.write(f"{number} {rank} {joined} {'well' if well else 'WRONG'}\n")
