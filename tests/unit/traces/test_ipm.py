"""IPM: profiles as it writes them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import netloom
from netloom.workload import messages as messages_of
from netloom.workload.traces import read_record, recognised

#: A rank of a ring: one message of 1000 bytes 30 times, and one of 8 twice; receives; an allreduce.
ENTRIES = (
    ("MPI_Isend", 1000, "{next}", 30, "3.0000e-03"),
    ("MPI_Isend", 8, "{next}", 2, "1.0000e-03"),
    ("MPI_Irecv", 1000, "0", 32, "1.0000e-04"),
    ("MPI_Allreduce", 64, "0", 5, "2.0000e-03"),
    ("fwrite", 64, "0", 5, "2.0000e-03"),
)
TASK = "\n".join([
    '<task ipm_version="2.0.6" cookie="nocookie" mpi_rank="{rank}" mpi_size="{size}" stamp_init="100.000000" '
    'stamp_final="102.500000" username="u" allocationname="" flags="0" pid="{rank}" >',
    '<job nhosts="1" ntasks="{size}" start="100" final="102" cookie="nocookie" code="unknown" >unknown</job>',
    '<cmdline realpath="./a.out" >./a.out --if a<b && c>"d"</cmdline>',
    "<env>LESSOPEN=| /usr/bin/lesspipe <task> %s</env>",
    '<regions n="1" >',
    '<region label="ipm_global" nexits="1" wtime="2.5000e+00" >',
    '<func name="MPI_Isend" count="32" bytes="3.0016e+04" > 1.0000e-02 </func>',
    "</region>",
    "</regions>",
    "<ldmap>",
    '<hash nlog="0" nkey="4" >',
    *(
        f'<hent key="0x0" call="{call}" bytes="{size}" orank="{peer}" region="0" callsite="0" count="{count}" tid="0" >'
        f"{seconds} 1.0000e-05 2.0000e-04</hent>"
        for call, size, peer, count, seconds in ENTRIES
    ),
    "</hash>",
    '<internal rank="{rank}" log_i="102.5" ></internal>',
    "</task>\n",
])  # fmt: skip


def profile(size: int, relative: bool = False, copies: tuple[int, ...] = ()) -> str:
    text = '<?xml version="1.0" encoding="iso-8859-1"?>\n<ipm_job_profile>\n'
    for rank in range(size):
        if rank in copies:
            text += f'<taskcopy mpi_rank="{rank}" cluster_rank="0"></taskcopy>\n'
            continue
        peer = 1 - size if relative and rank == size - 1 else 1 if relative else (rank + 1) % size
        text += TASK.format(rank=rank, size=size, next=peer)
    return text + "</ipm_job_profile>\n"


def matrix(path: Path) -> dict[tuple[int, int], tuple[int, int]]:
    """Messages and bytes by sender and receiver."""
    table = messages_of(read_record(path).told()).table()
    made: dict[tuple[int, int], tuple[int, int]] = {}
    for src, dst, messages, size in zip(
        *(table[name].tolist() for name in ("src", "dst", "messages", "bytes")), strict=True
    ):
        before = made.get((src, dst), (0, 0))
        made[src, dst] = (before[0] + messages, before[1] + size)
    return made


@pytest.mark.parametrize(("relative", "copies"), [(False, ()), (True, ()), (True, (1, 2))])
def test_sends_are_the_traffic(tmp_path: Path, relative: bool, copies: tuple[int, ...]) -> None:
    path = tmp_path / "run.xml"
    path.write_text(profile(4, relative, copies), encoding="latin-1")
    assert recognised(path) == "ipm"
    assert matrix(path) == {(rank, (rank + 1) % 4): (32, 30_016) for rank in range(4)}
    survey = read_record(path).survey
    assert survey["calls"] == {
        "allreduce": (20, 1280, pytest.approx(8e-3)),
        "irecv": (128, 128_000, pytest.approx(4e-4)),
        "isend": (128, 120_064, pytest.approx(16e-3)),
    }
    assert survey["span_s"] == 2.5 and survey["communicators"] == [4]
    assert any("allreduce 1280 B" in note for note in survey["notes"])
    assert any("being like another one: 2" in note for note in survey["notes"]) == bool(copies)


def test_a_profile_that_ipm_wrote() -> None:
    """A ring of 1000 B and of 128 B, 800 B of even ranks, 77 B in parts of all: sizes keep three binary digits."""
    path = Path(__file__).parents[2] / "data" / "traces" / "mixed.ipm.xml"
    odd = {(rank, (rank + 1) % 4): (2, 896 + 128) for rank in (1, 3)}
    even = {(rank, rank + 1): (3, 896 + 768 + 128) for rank in (0, 2)}
    assert matrix(path) == odd | even | {(2, 0): (1, 64), (3, 1): (1, 64)}
    assert read_record(path).survey["calls"]["allreduce"][:2] == (4, 4 * 80)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_its_traffic_is_mapped_and_scaled(tmp_path: Path) -> None:
    path = tmp_path / "run.xml"
    path.write_text(profile(4))
    found = netloom.hops(network="ring(4)", workload=str(path))
    assert found.record["total_bytes"] == 4 * 30_016 and found.record["average_hops_per_byte"] == 1.0


def test_sums_of_functions_alone_are_described(tmp_path: Path) -> None:
    path = tmp_path / "run.xml"
    path.write_text("\n".join(line for line in profile(2).splitlines() if "<hent" not in line))
    record = read_record(path)
    assert record.workload.ranks == 2 and record.survey["calls"]["isend"] == (64, 60_032, pytest.approx(0.02))
    with pytest.raises(netloom.NetloomError, match=r"NL-F013.*name no receivers"):
        record.told()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('mpi_rank="1"', 'mpi_rank="0"', "NL-F006"),
        ('mpi_size="3"', 'mpi_size="5"', "rank 3 of 5 is missing"),
        ('orank="2"', 'orank="7"', "sends to rank 7 of 3"),
        ('count="30"', 'count="x"', 'got "x"'),
        ('bytes="1000"', 'bytes="-5"', "bytes must be a whole number"),
        ("<task ", "<other ", "NL-F004"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, old: str, new: str, says: str) -> None:
    path = tmp_path / "run.xml"
    text = profile(3)
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(netloom.NetloomError) as fault:
        read_record(path, format="ipm").told()
    assert says in str(fault.value) and len(fault.value.faults) == 1


def test_entities_are_text(tmp_path: Path) -> None:
    path = tmp_path / "run.xml"
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n'
    path.write_text(bomb + profile(2))
    assert matrix(path)[0, 1] == (32, 30_016)
    path.write_text(profile(2) + "x" * (1 << 20) + "yy")
    with pytest.raises(netloom.NetloomError, match="a line of more than 1 MiB"):
        read_record(path)


@pytest.mark.parametrize("seed", range(200))
def test_changed_files_are_read_or_refused(tmp_path: Path, seed: int) -> None:
    draw, path = random.Random(seed), tmp_path / "run.xml"
    data = bytearray(profile(3, copies=(2,), relative=True).encode())
    for _ in range(draw.choice([1, 5])):
        data[draw.randrange(len(data))] = draw.choice([draw.randrange(256), *b'0-9"<>'])
    path.write_bytes(data[: draw.choice([len(data), draw.randrange(len(data))])])
    try:
        read_record(path, format="ipm").told()
    except netloom.NetloomError as fault:
        assert len(str(fault)) < 2000
