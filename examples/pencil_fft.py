"""A Fourier transform in three dimensions over MPI, in pencils, with a cutoff in wave space (Jain 2016, section 8.2).

    mpirun -n 4 python pencil_fft.py 12 10 9 --parts 4 3 --cutoff 20

The grid is cut into A x B objects, which are spread over the ranks in runs. D1 objects transform lines along Z and send
the planes within the cutoff; D2 objects transform lines along Y and send the pencils within it; D3 objects, to which
pencils are dealt in turn, transform lines along X. With --back the way is gone back. Every rank compares what it holds
with the transform of the whole grid by NumPy, and fails where they differ by more than rounding. Its messages are those
of `netloom hops -a 'fft3d(n=[12,10,9],decomposition=[4,3],cutoff=20)'`.
"""

from __future__ import annotations

import argparse
import sys
from itertools import pairwise

import numpy as np
from mpi4py import MPI

#: Sender, receiver and shape of a block.
Step = list[tuple[int, int, tuple[int, ...]]]
Blocks = dict[tuple[int, int], np.ndarray]

#: Largest difference over the largest value.
ROUNDING = 1e-12


def parts(points: int, number: int) -> list[slice]:
    """Parts whose lengths differ by one at most, the longer ones first."""
    each, longer = divmod(points, number)
    starts = [at * each + min(at, longer) for at in range(number + 1)]
    return [slice(*pair) for pair in pairwise(starts)]


def squares(points: int) -> np.ndarray:
    """The square of the wave number at each place."""
    return np.rint(np.fft.fftfreq(points, 1 / points)).astype(np.int64) ** 2


class Transform:
    """The objects of a transform that this rank has."""

    def __init__(self, comm: MPI.Comm, n: tuple[int, int, int], a: int, b: int, cutoff: int | None) -> None:
        self.comm, self.n, self.a, self.b, self.objects = comm, n, a, b, a * b
        most = np.iinfo(np.int64).max if cutoff is None else cutoff
        x, y, z = map(squares, n)
        self.x, self.y = parts(n[0], a), parts(n[1], b)
        self.planes = np.flatnonzero(z <= most)
        self.z = [self.planes[part] for part in parts(len(self.planes), b)]
        #: Pencils (y, z), plane after plane, and whose they are.
        self.pencils = np.array([(at, of) for of in self.planes for at in np.flatnonzero(y + z[of] <= most)]).reshape(
            -1, 2
        )
        self.owner = np.arange(len(self.pencils)) % self.objects
        self.inside = x[:, None, None] + y[None, :, None] + z[None, None, :] <= most
        self.own = [one for one in range(self.objects) if self.rank(one) == comm.rank]

    def rank(self, number: int) -> int:
        """The rank that has an object."""
        return number * self.comm.size // self.objects

    def dealt(self, c: int, owner: int) -> np.ndarray:
        """Numbers of the pencils in part c of Z that an object of D3 gets."""
        return np.flatnonzero(np.isin(self.pencils[:, 1], self.z[c]) & (self.owner == owner))

    def first(self) -> Step:
        """Messages from D1 to D2: objects, and the shape of the block."""
        wide, high = [one.stop - one.start for one in self.x], [one.stop - one.start for one in self.y]
        return [
            (i * self.b + k, i * self.b + c, (wide[i], high[k], len(self.z[c])))
            for i in range(self.a) for k in range(self.b) for c in range(self.b)
            if len(self.z[c])
        ]  # fmt: skip

    def second(self) -> Step:
        """The same from D2 to D3."""
        counts = [[len(self.dealt(c, owner)) for owner in range(self.objects)] for c in range(self.b)]
        return [
            (i * self.b + c, owner, (self.x[i].stop - self.x[i].start, counts[c][owner]))
            for i in range(self.a) for c in range(self.b) for owner in range(self.objects)
            if counts[c][owner]
        ]  # fmt: skip

    def exchange(self, step: Step, back: bool, tag: int, blocks: Blocks) -> Blocks:
        """Sends blocks by sender and receiver, and gives those that came."""
        came, requests = {}, []
        for one, other, shape in step:
            sender, receiver = (other, one) if back else (one, other)
            if receiver in self.own:
                came[sender, receiver] = np.empty(shape, complex)
                place = came[sender, receiver]
                requests.append(self.comm.Irecv(place, self.rank(sender), tag + receiver))
        sent = [np.ascontiguousarray(block) for block in blocks.values()]
        for (_, receiver), block in zip(blocks, sent, strict=True):
            requests.append(self.comm.Isend(block, self.rank(receiver), tag + receiver))
        MPI.Request.Waitall(requests)
        return came

    def forward(self, grid: np.ndarray) -> dict[int, np.ndarray]:
        """Pencils along X by object of D3, in wave space."""
        b, out = self.b, {}
        for one in self.own:
            lines = np.fft.fft(grid[self.x[one // b], self.y[one % b]], axis=2)
            out |= {(one, one // b * b + c): lines[:, :, self.z[c]] for c in range(b) if len(self.z[c])}
        came = self.exchange(self.first(), False, 0, out)
        out = {}
        for one in self.own:
            i, c = divmod(one, b)
            if not len(self.z[c]):
                continue
            lines = np.fft.fft(np.concatenate([came[i * b + k, one] for k in range(b)], axis=1), axis=1)
            place = np.searchsorted(self.z[c], self.pencils[:, 1])
            for owner in range(self.objects):
                mine = self.dealt(c, owner)
                if len(mine):
                    out[one, owner] = lines[:, self.pencils[mine, 0], place[mine]]
        came = self.exchange(self.second(), False, self.objects, out)
        return {one: np.fft.fft(self.joined(came, one), axis=0) for one in self.own}

    def joined(self, came: Blocks, owner: int) -> np.ndarray:
        """Whole pencils from their parts."""
        whole = np.zeros((self.n[0], int((self.owner == owner).sum())), complex)
        for (sender, receiver), block in came.items():
            if receiver == owner:
                at = np.searchsorted(np.flatnonzero(self.owner == owner), self.dealt(sender % self.b, owner))
                whole[self.x[sender // self.b], at] = block
        return whole

    def backward(self, pencils: dict[int, np.ndarray]) -> dict[int, np.ndarray]:
        """Pencils along Z by object of D1, in real space, of what lies within the sphere."""
        b, out = self.b, {}
        for one in self.own:
            mine = np.flatnonzero(self.owner == one)
            lines = np.fft.ifft(pencils[one] * self.inside[:, self.pencils[mine, 0], self.pencils[mine, 1]], axis=0)
            for c in range(b):
                at = np.searchsorted(mine, self.dealt(c, one))
                if len(at):
                    out |= {(one, i * b + c): lines[self.x[i], at] for i in range(self.a)}
        came = self.exchange(self.second(), True, 2 * self.objects, out)
        out = {}
        for one in self.own:
            i, c = divmod(one, b)
            if not len(self.z[c]):
                continue
            lines = np.zeros((self.x[i].stop - self.x[i].start, self.n[1], len(self.z[c])), complex)
            for owner in range(self.objects):
                if (owner, one) in came:
                    mine = self.pencils[self.dealt(c, owner)]
                    lines[:, mine[:, 0], np.searchsorted(self.z[c], mine[:, 1])] = came[owner, one]
            lines = np.fft.ifft(lines, axis=1)
            out |= {(one, i * b + k): lines[:, self.y[k]] for k in range(b)}
        came = self.exchange(self.first(), True, 3 * self.objects, out)
        made = {}
        for one in self.own:
            i, k = divmod(one, b)
            lines = np.zeros((self.x[i].stop - self.x[i].start, self.y[k].stop - self.y[k].start, self.n[2]), complex)
            for c in range(b):
                if len(self.z[c]):
                    lines[:, :, self.z[c]] = came[i * b + c, one]
            made[one] = np.fft.ifft(lines, axis=2)
        return made


def main() -> int:
    """Exit code 1 where a value is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("n", type=int, nargs=3, help="points along X, Y and Z")
    parser.add_argument("--parts", type=int, nargs=2, required=True, help="parts of X, and of Y and Z")
    parser.add_argument("--cutoff", type=int, help="most of x² + y² + z² of wave numbers")
    parser.add_argument("--back", action="store_true", help="also back")
    given = parser.parse_args()
    grid = np.random.default_rng(1).standard_normal((*given.n, 2)) @ np.array([1, 1j])
    wanted = np.fft.fftn(grid)
    fft = Transform(MPI.COMM_WORLD, tuple(given.n), *given.parts, given.cutoff)
    found = fft.forward(grid)
    worst = 0.0
    for one, values in found.items():
        y, z = fft.pencils[fft.owner == one].T
        worst = max(worst, np.abs(values - wanted[:, y, z]).max(initial=0.0) / np.abs(wanted).max())
    if given.back:
        real = np.fft.ifftn(wanted * fft.inside)
        for one, values in fft.backward(found).items():
            there = real[fft.x[one // fft.b], fft.y[one % fft.b]]
            worst = max(worst, np.abs(values - there).max(initial=0.0) / np.abs(real).max())
    print(f"rank {MPI.COMM_WORLD.rank}: {len(fft.own)} objects, differs by {worst:.1e}", flush=True)
    return int(worst > ROUNDING)


if __name__ == "__main__":
    sys.exit(main())
