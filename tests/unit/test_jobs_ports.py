"""Jobs on a fabric whose hosts have several ports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from netloom.base.errors import NetloomError
from netloom.jobs import read_jobs
from netloom.network import network as network_of


def refused(text: str, code: str, mention: str, net: Any) -> None:
    with pytest.raises(NetloomError, match=code) as caught:
        read_jobs(text, net)
    assert mention in str(caught.value)


def test_a_host_stands_for_all_of_its_ports(tmp_path: Path) -> None:
    """Hosts gpu1 to gpu3, each with a port on both of two rails."""
    lines = []
    for rail in range(2):
        lines.append(f'Switch\t8 "S-{160 + rail:016x}"\t\t# "rail{rail}" enhanced port 0 lid {rail + 1} lmc 0')
        lines += [
            f'[{h}]\t"H-{16 * h + rail:016x}"[1]({16 * h + rail:x})\t\t# "gpu{h} mlx5_{rail}" lid {8 * h + rail} 4xHDR'
            for h in (1, 2, 3)
        ]
        lines += [f'[8]\t"S-{161 - rail:016x}"[8]\t\t# "rail{1 - rail}" lid {2 - rail} 4xHDR', ""]
    for h in (1, 2, 3):
        for rail in range(2):
            lines.append(f'Ca\t1 "H-{16 * h + rail:016x}"\t\t# "gpu{h} mlx5_{rail}"')
            port = f"[1]({16 * h + rail:x})"
            lines += [f'{port}\t"S-{160 + rail:016x}"[{h}]\t\t# lid {8 * h + rail} lmc 0 "rail{rail}" lid 1 4xHDR', ""]
    (tmp_path / "rails.txt").write_text("\n".join(lines))
    net = network_of(tmp_path / "rails.txt")
    names = net.endpoint_names
    assert sorted(names) == [f"gpu{h}:{port}" for h in (1, 2, 3) for port in (0, 1)]
    (job,) = read_jobs("a gpu[1,3]\n", net)
    assert [names[end] for end in job.endpoints] == ["gpu1:0", "gpu1:1", "gpu3:0", "gpu3:1"]
    table = "JOBID|NAME|STATE|NODES|CPUS|NODELIST\n7|wrf|RUNNING|{}|8|gpu[1-2]\n"
    assert len(read_jobs(table.format(2), net)[0].endpoints) == 4
    refused(table.format(3), "NL-J002", "the list may be cut", net)
    refused("a gpu4\n", "NL-J003", 'did you mean "gpu', net)
