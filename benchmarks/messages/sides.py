"""One run of each side: CPU seconds of the simulation alone, and when the ranks are done."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tests.peers import platform, simgrid

import netloom
from benchmarks.measure import python
from benchmarks.messages.programs import Program, write_case, write_goal

PICOSECONDS = 1e12


@dataclass(frozen=True)
class Run:
    """`end_s` has every rank, or the last one alone where the program tells no more."""

    seconds: float
    end_s: NDArray[np.float64]


def ours(program: Program, folder: Path, calibration: str | None) -> Run:
    file = folder / "program.json"
    file.write_text(json.dumps(program.told()))
    words = [str(file)] if calibration is None else [str(file), calibration]
    said = json.loads(simgrid.run(python("benchmarks.messages.ours", *words)).stdout)
    return Run(said["seconds"], np.array(said["end_s"]))


class S4U:
    """Actors and mailboxes; the clock stands while the platform is built."""

    def __init__(self, program: Program, folder: Path) -> None:
        source = str(Path(__file__).with_name("ranks.cpp"))
        binary = simgrid.built(source, "g++", "-O2", "-std=c++17", "-Wall", "-Wl,--no-as-needed", "-lsimgrid")
        case = folder / f"{program.count}.case"
        write_case(program, case)
        self.words = [str(binary), str(case), *(f"--cfg={setting}" for setting in simgrid.PURE)]
        self.words.append("--log=root.thresh:warning")

    def run(self) -> Run:
        done = simgrid.run(self.words)
        said = re.search(r"^ran (\S+) CPU seconds$", done.stderr, re.MULTILINE)
        assert said is not None, f"no time in what the program said: {done.stderr[-300:]}"
        return Run(float(said[1]), np.array(done.stdout.split(), dtype=np.float64))


class LogGOPSim:
    """Whole processes, less one that plays the first step alone: it says its time in whole seconds only."""

    def __init__(self, program: Program, folder: Path, binary: Path) -> None:
        # Every pair is as far apart as two endpoints of one switch.
        bandwidth, latency = platform.speeds(netloom.network("star(n=1,p=2)"))[-1]
        gap, away = PICOSECONDS / bandwidth, 2 * latency * PICOSECONDS
        if max(abs(gap - round(gap)), abs(away - round(away))) > 1e-6:
            raise SystemExit("LogGOPSim takes integers: its picoseconds are not exact on this star")
        costs = ["-L", f"{away:.0f}", "-G", f"{gap:.0f}", "-o", "0", "-g", "0", "-S", "1000000000"]
        self.commands = []
        for part in (program, program.first(1)):
            text, schedule = folder / f"{part.count}.goal", folder / f"{part.count}.bin"
            write_goal(part, text)
            simgrid.run([str(binary.with_name("txt2bin")), "-i", str(text), "-o", str(schedule)])
            text.unlink()
            self.commands.append([str(binary), "-f", str(schedule), "-b", *costs])
        # Less the messages of the first step, too.
        self.share = program.count / (program.count - 1)

    def run(self) -> Run:
        whole, one = (simgrid.run(words) for words in self.commands)
        said = re.search(r"^Maximum finishing time at host \d+: (\d+) ", whole.stdout, re.MULTILINE)
        assert said is not None, f"no time in what LogGOPSim said: {whole.stdout[-300:]}"
        return Run((whole.cpu_s - one.cpu_s) * self.share, np.array([int(said[1]) / PICOSECONDS]))
