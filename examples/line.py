"""A broadcast of one's own: every rank hands the message to the next."""

from netloom import plugin


class Line(plugin.Collective):
    "Every rank hands the message to the next."

    name = "broadcast:line"

    def steps(self, ranks, root, size_bytes):
        return [[((root + i) % ranks, (root + i + 1) % ranks, [0], False)] for i in range(ranks - 1)]
