"""Options of `netloom learn` and `--features` of others, and the tables that are learned from."""

from __future__ import annotations

from .option_case import TORUS, Case

LEARN = "samples.csv --target time_s -q"
_ROWS = [(7 * i % 40 + 1, 5 * i % 11, "ab"[i % 3 == 0]) for i in range(40)]
_HEAD = "bytes_max,dilation_max,time_s,same,kind"
_SAMPLES = "\n".join(f"{b},{d},{b + 0.3 * d + 0.1 * (b * d % 7)},7,{kind}" for b, d, kind in _ROWS)
FILES = {
    "samples.csv": f"{_HEAD}\n{_SAMPLES}\n",
    "mixed.csv": f"{_HEAD},machine\n" + "\n".join(f"{row},{row[-1]}" for row in _SAMPLES.splitlines()) + "\n",
    "far.csv": f"{_HEAD}\n100,3,99,7,a\n5,5,5,7,a\n",
    "bare.csv": "hops,time_s\n" + "".join(f"{b},{b + 0.1 * (b % 3)}\n" for b, _, _ in _ROWS),
}
#: What makes `made.model`.
MODEL = [*LEARN.split(), "--features", "bytes_max", "--learner", "linear", "-o", "made.model"]

CASES = {
    ("loads", "--features"): Case(f"{TORUS} -t uniform(seed=1) -q", "--features"),
    ("simulate", "--features"): Case(f"{TORUS} -t uniform(seed=1) -q --model packet", "--features"),
    ("learn", "--target"): Case("samples.csv -q", "--target time_s", "mends"),
    ("learn", "--mixed"): Case("mixed.csv --target time_s -q", "--mixed", "mends"),
    ("learn", "--quantile"): Case(f"{LEARN} --learner gradient-boosting --loss quantile", "--quantile 0.9", "mends"),
    ("learn", "--loss"): Case(f"{LEARN} --learner gradient-boosting", "--loss absolute"),
    ("learn", "--by"): Case(f"{LEARN} --search 1", "--by r2", "runs"),
    ("learn", "--jobs"): Case(f"{LEARN} --search 1 --learner linear", "-j 1", "speed"),
    ("learn", "--output"): Case(LEARN, "-o other.model", "files"),
    ("learn", "--extrapolate"): Case("predict made.model far.csv", "--extrapolate"),
    **{
        ("learn", added.partition(" ")[0]): Case(LEARN, added)
        for added in (
            "--features bytes_max", "--where kind=a", "--learner linear", "--trees 5", "--seed 2", "--test 0.4",
            "--held-out 0.3", "--search 1", "--select",
        )
    },
}  # fmt: skip
